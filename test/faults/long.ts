/** `FAULT_ROUNDS=1`, as in `.ci/run`, leaves out what takes minutes. */
export const describeLong = process.env['FAULT_ROUNDS'] === '1' ? describe.skip : describe;
