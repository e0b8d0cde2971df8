// Compiled by CMake to test for a compiler for the offload target.
int main() {
  int sum = 0;
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < 3; ++i) sum += i;
  return sum - 3;
}
