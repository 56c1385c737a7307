/** A `describe` for tests that take minutes; `FAULT_ROUNDS=1`, as in `.ci/run`, skips it. */
export const describeLong = process.env['FAULT_ROUNDS'] === '1' ? describe.skip : describe;
