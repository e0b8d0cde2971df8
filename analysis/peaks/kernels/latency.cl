// Latency of a device's memories: one work-item, whose loads each wait for the one before. The host defines LOADS (in a
// round) and PLACES (in local memory, 256 at most).

/// Goes on where the last launch ended.
kernel void chase(uint rounds, global const uint* next, global uint* at) {
  uint place = at[0];
  for (uint round = 0; round < rounds; ++round) {
#pragma unroll
    for (int load = 0; load < LOADS; ++load) place = next[place];
  }
  at[0] = place;
}

kernel void chase_local(uint rounds, global uint* at) {
  local uint next[PLACES];
  for (uint i = 0; i < PLACES; ++i) next[i] = (i + 97) % PLACES;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint place = at[0] % PLACES;
  for (uint round = 0; round < rounds; ++round) {
#pragma unroll
    for (int load = 0; load < LOADS; ++load) place = next[place];
  }
  at[0] = place;
}
