// Loaded before the service: gives its process the clock of a machine that is wrong by WRONG_CLOCK_MS from the start, and is set
// by each of CLOCK_JUMPS_MS, one after the other, whenever SIGUSR2 comes. What counts time since the start is not set, here
// as there.
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
