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
struct Vector;

/// The values of a vector; of two and of four they have names.
template <class T, int N>
struct Values {
  typedef Vector<T, N / 2> Half;
  Half low, high;
  Values() = default;
  FN_OF_TYPE Values(Half lower, Half upper) : low(lower), high(upper) {}
  FN_OF_TYPE Half lower() const { return low; }
  FN_OF_TYPE Half upper() const { return high; }
};
template <class T>
struct Values<T, 4> {
  typedef Vector<T, 2> Half;
  T x, y, z, w;
  Values() = default;
  FN_OF_TYPE Values(Half lower, Half upper) : x(lower.x), y(lower.y), z(upper.x), w(upper.y) {}
  FN_OF_TYPE Half lower() const { return Half(x, y); }
  FN_OF_TYPE Half upper() const { return Half(z, w); }
};
template <class T>
struct Values<T, 2> {
  typedef T Half;
  T x, y;
  Values() = default;
  FN_OF_TYPE Values(T first, T second) : x(first), y(second) {}
  FN_OF_TYPE T lower() const { return x; }
  FN_OF_TYPE T upper() const { return y; }
};

/// The lower half of the lanes, and the upper one: of two lanes, a value each.
template <class T, int N>
FN auto LOW(Vector<T, N> v) {
  return v.lower();
}
template <class T, int N>
FN auto HIGH(Vector<T, N> v) {
  return v.upper();
}

FN int lane_mask(bool is_true) { return -is_true; }
template <class M, int N>
FN Vector<M, N> lane_mask(Vector<M, N> mask) {
  return mask;
}

template <class T, int N>
struct alignas(N * sizeof(T)) Vector : Values<T, N> {
  typedef typename Values<T, N>::Half Half;
  typedef Vector<typename MaskOf<T>::Lane, N> Mask;

  Vector() = default;
  FN_OF_TYPE Vector(T all) : Values<T, N>(all, all) {}
  FN_OF_TYPE Vector(Half lower, Half upper) : Values<T, N>(lower, upper) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d) : Vector(Half(a, b), Half(c, d)) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d, T e, T f, T g, T h) : Vector(Half(a, b, c, d), Half(e, f, g, h)) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p)
      : Vector(Half(a, b, c, d, e, f, g, h), Half(i, j, k, l, m, n, o, p)) {}
  FN_OF_TYPE Vector operator~() const { return Vector(~this->lower(), ~this->upper()); }
#define OPERATOR(op) \
  friend FN_OF_TYPE Vector operator op(Vector a, Vector b) { return Vector(LOW(a) op LOW(b), HIGH(a) op HIGH(b)); }
  EACH_BINARY(OPERATOR)
#undef OPERATOR
#define OPERATOR(op)                                                           \
  friend FN_OF_TYPE Mask operator op(Vector a, Vector b) {                     \
    return Mask(lane_mask(LOW(a) op LOW(b)), lane_mask(HIGH(a) op HIGH(b)));   \
  }
  EACH_COMPARISON(OPERATOR)
#undef OPERATOR
};

template <class T, int N>
FN Vector<T, N>& operator+=(Vector<T, N>& sum, Vector<T, N> value) {
  return sum = sum + value;
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
