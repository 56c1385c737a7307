// Loaded before the service: sets its process's clock off by WRONG_CLOCK_MS from the start, and by the next of
// CLOCK_JUMPS_MS on each SIGUSR2. Monotonic clocks are not affected, as on a real machine.
const Machine = globalThis.Date;
const jumps = (process.env.CLOCK_JUMPS_MS ?? '').split(',').filter(Boolean).map(Number);
let wrongBy = Number(process.env.WRONG_CLOCK_MS ?? 0);

const read = () => Machine.now() + wrongBy;
globalThis.Date = new Proxy(Machine, {
  construct: (target, args) => (args.length === 0 ? new target(read()) : Reflect.construct(target, args)),
  get: (target, name) => (name === 'now' ? read : Reflect.get(target, name)),
});
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + wrongBy });

process.on('SIGUSR2', () => {
  wrongBy += jumps.shift() ?? 0;
  process.stdout.write(`the clock is wrong by ${wrongBy} ms\n`);
});
