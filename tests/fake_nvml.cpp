// A stand-in for NVML: one GPU whose state the tests set.
#include <cstdio>

extern "C" {

unsigned fake_clock_mhz = 1980;
unsigned long long fake_throttles = 0, fake_millijoules = 0;
int fake_fails = 0;  ///< the answer to all but the first calls

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  *device = &fake_fails;
  return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  std::snprintf(text, bytes, "570.1");
  return fake_fails;
}
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) { return *milliwatts = 700'000, fake_fails; }
int nvmlDeviceGetEccMode(void*, int* is_on, int* will_be_on) { return *is_on = *will_be_on = 1, fake_fails; }
int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? fake_clock_mhz : 3201;
  return fake_fails;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  return *bits = fake_throttles, fake_fails;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  return *millijoules = fake_millijoules, fake_fails;
}
}
