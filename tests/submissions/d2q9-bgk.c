/* The method as a course hands it out: two grids, an array of structs, a function a phase, single precision. Written for
** this suite, to be what `boltzmark check` and `compare-with` are tried on.
**
**   d2q9-bgk PARAMS OBSTACLES        writes final_state.dat and av_vels.dat, prints how long it took
**
** FAULT chooses what is wrong with it (make_submissions.py), SLOW how often the collision is computed. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NONE 0
#define ONE_CELL 1      /* one cell of the result is wrong */
#define TOO_FEW_STEPS 2 /* half of the time steps */
#define NOT_A_NUMBER 3
#define HANGS 4
#define CRASHES 5
#define FLOODS 6  /* prints without end */
#define FORKS 7   /* leaves a child in a session of its own that would live on, and write */
#define ESCAPES 8 /* writes wherever it is told by the environment */
#define WRONG_WEIGHT 9
#define EATS 10 /* memory */
#define CHATTERS 11 /* prints megabytes, but ends */
#define FILLS 12 /* its folder */
#define SHARES 13 /* fills the shared memory */
#define NO_TIME 14 /* says a time that cannot be */
#define RESERVES 15 /* address space, and uses none of it, as CUDA does */
#define DIVIDES 16 /* memory among processes that share it */
#define UNDERSTATES 17 /* its time, tenfold */
#define SETS_UP 18 /* for longer than it computes, which is no part of its time */
#ifndef FAULT
#define FAULT NONE
#endif
#ifndef SLOW
#define SLOW 1
#endif

typedef struct {
  int nx, ny, steps, length;
  float density, accel, omega;
} problem_t;
typedef struct {
  float f[9];
} cell_t;

/*  6 2 5
**  3 0 1
**  7 4 8 */
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static float weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

static void die(const char* what) {
  fprintf(stderr, "d2q9-bgk: %s\n", what);
  exit(1);
}

static double now(void) {
  struct timeval time;
  gettimeofday(&time, NULL);
  return time.tv_sec + 1e-6 * time.tv_usec;
}

static void read_problem(const char* params, const char* obstacles, problem_t* p, char** solid) {
  FILE* in = fopen(params, "r");
  if (!in || fscanf(in, "%d %d %d %d %f %f %f", &p->nx, &p->ny, &p->steps, &p->length, &p->density, &p->accel, &p->omega) != 7)
    die("cannot read the parameters");
  fclose(in);
  *solid = calloc((size_t)p->nx * p->ny, 1);
  in = fopen(obstacles, "r");
  if (!in || !*solid) die("cannot read the obstacles");
  int x, y, blocked;
  while (fscanf(in, "%d %d %d", &x, &y, &blocked) == 3) (*solid)[x + y * p->nx] = (char)blocked;
  fclose(in);
}

static void macroscopic(const cell_t* cell, float* density, float* ux, float* uy) {
  float r = 0, jx = 0, jy = 0;
  for (int i = 0; i < 9; ++i) {
    r += cell->f[i];
    jx += cx[i] * cell->f[i];
    jy += cy[i] * cell->f[i];
  }
  *density = r;
  *ux = jx / r;
  *uy = jy / r;
}

static void accelerate(const problem_t* p, cell_t* cells, const char* solid) {
  const float a1 = p->density * p->accel / 9, a2 = p->density * p->accel / 36;
  for (int x = 0; x < p->nx; ++x) {
    const int at = x + (p->ny - 2) * p->nx;
    float* f = cells[at].f;
    if (solid[at] || f[3] - a1 <= 0 || f[6] - a2 <= 0 || f[7] - a2 <= 0) continue;
    for (int i = 1; i < 9; ++i) f[i] += (float)cx[i] * (cy[i] == 0 ? a1 : a2);
  }
}

static void propagate(const problem_t* p, const cell_t* cells, cell_t* arrived) {
  for (int y = 0; y < p->ny; ++y)
    for (int x = 0; x < p->nx; ++x)
      for (int i = 0; i < 9; ++i) {
        const int from_x = (x - cx[i] + p->nx) % p->nx, from_y = (y - cy[i] + p->ny) % p->ny;
        arrived[x + y * p->nx].f[i] = cells[from_x + from_y * p->nx].f[i];
      }
}

static void collide(const problem_t* p, const cell_t* arrived, cell_t* cells, const char* solid) {
  for (int at = 0; at < p->nx * p->ny; ++at) {
    if (solid[at]) {
      for (int i = 0; i < 9; ++i) cells[at].f[i] = arrived[at].f[opposite[i]];
      continue;
    }
    float density, ux, uy;
    macroscopic(&arrived[at], &density, &ux, &uy);
    const float square = ux * ux + uy * uy;
    for (int i = 0; i < 9; ++i) {
      const float cu = cx[i] * ux + cy[i] * uy;
      const float towards = weight[i] * density * (1 + 3 * cu + 4.5f * cu * cu - 1.5f * square);
      cells[at].f[i] = arrived[at].f[i] + p->omega * (towards - arrived[at].f[i]);
    }
  }
}

static double average_speed(const problem_t* p, const cell_t* cells, const char* solid) {
  double sum = 0;
  int fluid = 0;
  for (int at = 0; at < p->nx * p->ny; ++at) {
    if (solid[at]) continue;
    float density, ux, uy;
    macroscopic(&cells[at], &density, &ux, &uy);
    sum += sqrtf(ux * ux + uy * uy);
    ++fluid;
  }
  return sum / fluid;
}

static void write_results(const problem_t* p, const cell_t* cells, const char* solid, const double* averages, int steps) {
  FILE* out = fopen("final_state.dat", "w");
  if (!out) die("cannot write final_state.dat");
  for (int y = 0; y < p->ny; ++y)
    for (int x = 0; x < p->nx; ++x) {
      const int at = x + y * p->nx;
      float density = p->density, ux = 0, uy = 0;
      if (!solid[at]) macroscopic(&cells[at], &density, &ux, &uy);
      if (FAULT == ONE_CELL && x == p->nx / 2 && y == p->ny / 2) ux += 0.01f;
      fprintf(out, "%d %d %.12E %.12E %.12E %.12E %d\n", x, y, ux, uy, sqrtf(ux * ux + uy * uy), density / 3, solid[at]);
    }
  fclose(out);
  out = fopen("av_vels.dat", "w");
  if (!out) die("cannot write av_vels.dat");
  for (int step = 0; step < steps; ++step) fprintf(out, "%d:\t%.12E\n", step, averages[step]);
  fclose(out);
}

static void fill(const char* pattern, int number, int megabytes) {
  static char block[1 << 20];
  char name[64];
  snprintf(name, sizeof name, pattern, number);
  FILE* out = fopen(name, "w");
  if (!out) die("cannot write what fills");
  for (int i = 0; i < megabytes; ++i)
    if (fwrite(block, sizeof block, 1, out) != 1) die("no room");
  if (fclose(out) != 0) die("no room");
}

/* What some of the submissions do besides, or instead. */
static void misbehave(void) {
  if (FAULT == HANGS)
    for (;;) pause();
  if (FAULT == FLOODS)
    for (;;) puts("still at work, still at work, still at work, still at work, still at work");
  if (FAULT == CHATTERS)
    for (int i = 0; i < 60000; ++i) puts("still at work, still at work, still at work, still at work");
  if (FAULT == FORKS && fork() == 0) {
    setsid();
    signal(SIGTERM, SIG_IGN);
    for (;;) sleep(1);
  }
  if (FAULT == ESCAPES) {
    const char* where = getenv("ESCAPE_TO");
    FILE* out = where ? fopen(where, "w") : NULL;
    if (out) fputs("somebody was here\n", out);
  }
  if (FAULT == FILLS)
    for (int i = 0; i < 3; ++i) fill("filled%d", i, 90);
  if (FAULT == SHARES)
    for (int i = 0; i < 2; ++i) fill("/dev/shm/filled%d", i, 200);
  if (FAULT == RESERVES) {
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (mmap(NULL, (size_t)14 << 30, PROT_NONE, kind, -1, 0) == MAP_FAILED) die("no address space");
  }
  if (FAULT == DIVIDES) {
    const size_t bytes = 100 << 20;
    volatile char* const all = malloc(bytes);
    memset((char*)all, 1, bytes);
    for (int i = 0; i < 4; ++i)
      if (fork() == 0) _exit(all[bytes - 1] == 1 ? (int)sleep(1) : 1);
    while (wait(NULL) > 0) {
    }
  }
  if (FAULT == EATS)
    for (;;) {
      char* more = malloc(1 << 24);
      if (!more) die("no memory");
      memset(more, 1, 1 << 24);
    }
}

int main(int argc, char** argv) {
  if (argc != 3) die("usage: d2q9-bgk PARAMS OBSTACLES");
  problem_t p;
  char* solid;
  const double start = now();
  read_problem(argv[1], argv[2], &p, &solid);
  if (FAULT == WRONG_WEIGHT) weight[1] *= 1.001f;
  const int cells_count = p.nx * p.ny, steps = FAULT == TOO_FEW_STEPS ? p.steps / 2 : p.steps;
  cell_t *cells = malloc(sizeof(cell_t) * cells_count), *arrived = malloc(sizeof(cell_t) * cells_count);
  double* averages = malloc(sizeof(double) * p.steps);
  for (int at = 0; at < cells_count; ++at)
    for (int i = 0; i < 9; ++i) cells[at].f[i] = weight[i] * p.density;
  if (FAULT == SETS_UP) sleep(2);
  const double computing = now();
  misbehave();
  for (int step = 0; step < steps; ++step) {
    accelerate(&p, cells, solid);
    propagate(&p, cells, arrived);
    for (int again = 0; again < SLOW; ++again) collide(&p, arrived, cells, solid);
    if (FAULT == NOT_A_NUMBER && step == 7) cells[3 + 4 * p.nx].f[2] = (float)NAN;
    if (FAULT == CRASHES && step == 3) raise(SIGSEGV);
    averages[step] = average_speed(&p, cells, solid);
    if (FAULT == UNDERSTATES) usleep(30000);
  }
  const double collating = now();
  write_results(&p, cells, solid, averages, steps);
  const double end = now(), viscosity = (2.0 / p.omega - 1) / 6;
  printf("==done==\nReynolds number:\t\t%.12E\n", averages[steps - 1] * p.length / viscosity);
  printf("Elapsed Init time:\t\t\t%.6lf (s)\nElapsed Compute time:\t\t\t%.6g (s)\n", computing - start,
         FAULT == NO_TIME ? 1e-310 : (collating - computing) / (FAULT == UNDERSTATES ? 10 : 1));
  printf("Elapsed Collate time:\t\t\t%.6lf (s)\nElapsed Total time:\t\t\t%.6lf (s)\n", end - collating, end - start);
  return 0;
}
