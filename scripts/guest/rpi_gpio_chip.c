/* The chip under RPi.GPIO's registers, in the guest. RPi.GPIO itself is not changed: the linker puts these three
 * functions around its own (ld --wrap). RPi.GPIO writes its registers in a file, /dev/gpiomem; these functions then do
 * to the simulated line what the registers ask of a BCM2837, and put the levels of the lines into the registers.
 * RPi.GPIO takes edges from /sys/class/gpio, which is the kernel's own. */
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SET = 7, CLR = 10, LEVEL = 13, OUTPUT = 0, PUD_DOWN = 1, PUD_UP = 2 }; /* registers, and RPi.GPIO's values */

void __real_setup_gpio(int gpio, int direction, int pud);
void __real_output_gpio(int gpio, int value);
int __real_input_gpio(int gpio);

static uint32_t latch, outputs; /* by bit: the level that an output has, or will have; which lines are outputs */

static volatile uint32_t *registers(void) {
  static volatile uint32_t *mapped;
  if (!mapped)
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open("/dev/gpiomem", O_RDWR), 0);
  return mapped;
}

static void put(const char *path, const char *text) {
  int file = open(path, O_WRONLY);
  if (file < 0 || write(file, text, strlen(text)) < 0)
    perror(path);
  close(file);
}

static void put_line(int gpio, const char *name, const char *text) {
  char path[64];
  snprintf(path, sizeof path, "/sys/class/gpio/gpio%d/%s", gpio, name);
  put(path, text);
}

/* Store the path of a line's file in gpio-sim. */
static void find(int gpio, const char *name, char *path, size_t room) {
  glob_t found;
  char pattern[96];
  snprintf(pattern, sizeof pattern, "/sys/class/gpio/gpiochip0/device/gpiochip*/sim_gpio%d/%s", gpio, name);
  path[0] = 0;
  if (!glob(pattern, 0, NULL, &found))
    snprintf(path, room, "%s", found.gl_pathv[0]);
  globfree(&found);
}

static void put_level(int gpio) {
  uint32_t bit = 1u << gpio;
  put_line(gpio, "value", latch & bit ? "1" : "0");
}

void __wrap_setup_gpio(int gpio, int direction, int pud) {
  char number[4], path[256];
  uint32_t bit = 1u << gpio;
  __real_setup_gpio(gpio, direction, pud);
  snprintf(number, sizeof number, "%d", gpio);
  if (direction == OUTPUT && !(outputs & bit)) {
    put("/sys/class/gpio/export", number);
    put_line(gpio, "direction", latch & bit ? "high" : "low");
    outputs |= bit;
  } else if (direction != OUTPUT && outputs & bit) {
    put_line(gpio, "direction", "in");
    put("/sys/class/gpio/unexport", number);
    outputs &= ~bit;
  }
  if (pud == PUD_UP || pud == PUD_DOWN) {
    find(gpio, "pull", path, sizeof path);
    put(path, pud == PUD_UP ? "pull-up" : "pull-down");
  }
}

void __wrap_output_gpio(int gpio, int value) {
  volatile uint32_t *chip = registers();
  __real_output_gpio(gpio, value);
  latch = (latch | chip[SET]) & ~chip[CLR];
  chip[SET] = chip[CLR] = 0;
  if (outputs & 1u << gpio)
    put_level(gpio);
}

int __wrap_input_gpio(int gpio) {
  static int files[32]; /* of the levels; 0: not yet open */
  volatile uint32_t *chip = registers();
  uint32_t bit = 1u << gpio;
  char path[256], level = '0';
  if (!files[gpio]) {
    find(gpio, "value", path, sizeof path);
    files[gpio] = open(path, O_RDONLY);
  }
  if (pread(files[gpio], &level, 1, 0) != 1)
    perror("the level of a line");
  chip[LEVEL] = level == '1' ? chip[LEVEL] | bit : chip[LEVEL] & ~bit;
  return __real_input_gpio(gpio);
}
