/** Preloaded (`--import`): `Date.now` is off by CLOCK_SHIFT_MS until SIGUSR2. */
const now = Date.now;
let shiftMs = Number(process.env.CLOCK_SHIFT_MS);
Date.now = () => now() + shiftMs;
process.on('SIGUSR2', () => {
  shiftMs = 0;
});
