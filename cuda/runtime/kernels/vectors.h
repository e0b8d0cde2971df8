// Vectors of 2, 4, 8 and 16 values, as OpenCL C has them; a part of language.h.
#define VECTOR(type) type
#define STRUCT(type) type

/// What a comparison of lanes gives: all bits set, or none.
template <class T>
struct MaskOf {
  typedef int Lane;
};
template <>
struct MaskOf<double> {
  typedef long Lane;
};
template <>
struct MaskOf<long> {
  typedef long Lane;
};

#define EACH_BINARY(define) define(+) define(-) define(*) define(/) define(&) define(|) define(^) define(<<) define(>>)
#define EACH_COMPARISON(define) define(==) define(!=) define(<) define(>) define(<=) define(>=)

template <class T, int N>
struct alignas(N * sizeof(T)) Vector {
  typedef Vector<T, N / 2> Half;
  typedef Vector<typename MaskOf<T>::Lane, N> Mask;
  Half low, high;

  Vector() = default;
  FN_OF_TYPE Vector(T all) : low(all), high(all) {}
  FN_OF_TYPE Vector(Half lower, Half upper) : low(lower), high(upper) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d, T e, T f, T g, T h) : low(a, b, c, d), high(e, f, g, h) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p)
      : low(a, b, c, d, e, f, g, h), high(i, j, k, l, m, n, o, p) {}
  FN_OF_TYPE Vector operator~() const { return Vector(~low, ~high); }
#define OPERATOR(op) \
  friend FN_OF_TYPE Vector operator op(Vector a, Vector b) { return Vector(a.low op b.low, a.high op b.high); }
  EACH_BINARY(OPERATOR)
#undef OPERATOR
#define OPERATOR(op) \
  friend FN_OF_TYPE Mask operator op(Vector a, Vector b) { return Mask(a.low op b.low, a.high op b.high); }
  EACH_COMPARISON(OPERATOR)
#undef OPERATOR
};

template <class T>
struct alignas(2 * sizeof(T)) Vector<T, 2> {
  typedef Vector<typename MaskOf<T>::Lane, 2> Mask;
  T x, y;

  Vector() = default;
  FN_OF_TYPE Vector(T all) : x(all), y(all) {}
  FN_OF_TYPE Vector(T first, T second) : x(first), y(second) {}
  FN_OF_TYPE Vector operator~() const { return Vector(~x, ~y); }
#define OPERATOR(op) \
  friend FN_OF_TYPE Vector operator op(Vector a, Vector b) { return Vector(a.x op b.x, a.y op b.y); }
  EACH_BINARY(OPERATOR)
#undef OPERATOR
#define OPERATOR(op) \
  friend FN_OF_TYPE Mask operator op(Vector a, Vector b) { return Mask(-(a.x op b.x), -(a.y op b.y)); }
  EACH_COMPARISON(OPERATOR)
#undef OPERATOR
};

template <class T>
struct alignas(4 * sizeof(T)) Vector<T, 4> {
  typedef Vector<typename MaskOf<T>::Lane, 4> Mask;
  T x, y, z, w;

  Vector() = default;
  FN_OF_TYPE Vector(T all) : x(all), y(all), z(all), w(all) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  FN_OF_TYPE Vector(Vector<T, 2> lower, Vector<T, 2> upper) : x(lower.x), y(lower.y), z(upper.x), w(upper.y) {}
  FN_OF_TYPE Vector operator~() const { return Vector(~x, ~y, ~z, ~w); }
#define OPERATOR(op)                                               \
  friend FN_OF_TYPE Vector operator op(Vector a, Vector b) {       \
    return Vector(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w); \
  }
  EACH_BINARY(OPERATOR)
#undef OPERATOR
#define OPERATOR(op)                                                         \
  friend FN_OF_TYPE Mask operator op(Vector a, Vector b) {                   \
    return Mask(-(a.x op b.x), -(a.y op b.y), -(a.z op b.z), -(a.w op b.w)); \
  }
  EACH_COMPARISON(OPERATOR)
#undef OPERATOR
};

template <class T, int N>
FN Vector<T, N>& operator+=(Vector<T, N>& sum, Vector<T, N> value) {
  return sum = sum + value;
}

/// The lower half of the lanes, and the upper one: of two lanes, a value each.
template <class T, int N>
FN Vector<T, N / 2> LOW(Vector<T, N> v) {
  return v.low;
}
template <class T, int N>
FN Vector<T, N / 2> HIGH(Vector<T, N> v) {
  return v.high;
}
template <class T>
FN Vector<T, 2> LOW(Vector<T, 4> v) {
  return Vector<T, 2>(v.x, v.y);
}
template <class T>
FN Vector<T, 2> HIGH(Vector<T, 4> v) {
  return Vector<T, 2>(v.z, v.w);
}
template <class T>
FN T LOW(Vector<T, 2> v) {
  return v.x;
}
template <class T>
FN T HIGH(Vector<T, 2> v) {
  return v.y;
}

/// Lane by lane what `with` makes of values.
template <class T, class With>
FN T each_lane(T value, With with) {
  return with(value);
}
template <class T, int N, class With>
FN Vector<T, N> each_lane(Vector<T, N> v, With with) {
  return Vector<T, N>(each_lane(LOW(v), with), each_lane(HIGH(v), with));
}

#define short2 Vector<short, 2>
#define ushort2 Vector<ushort, 2>
#define int2 Vector<int, 2>
#define int4 Vector<int, 4>
#define int8 Vector<int, 8>
#define int16 Vector<int, 16>
#define uint2 Vector<uint, 2>
#define uint4 Vector<uint, 4>
#define uint8 Vector<uint, 8>
#define uint16 Vector<uint, 16>
#define long2 Vector<long, 2>
#define long4 Vector<long, 4>
#define long8 Vector<long, 8>
#define long16 Vector<long, 16>
#define float2 Vector<float, 2>
#define float4 Vector<float, 4>
#define float8 Vector<float, 8>
#define float16 Vector<float, 16>
#define double2 Vector<double, 2>
#define double4 Vector<double, 4>
#define double8 Vector<double, 8>
#define double16 Vector<double, 16>
