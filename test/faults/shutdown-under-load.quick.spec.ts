import { endUnderLoad } from './shutdown-under-load.js';

jest.setTimeout(240_000);

const ROUNDS = process.env['FAULT_ROUNDS'] === '1' ? 1 : 4;

describe('SIGTERM under the load of connections that clients keep', () => {
  it('is seen at /health/ready first, and breaks no request', async () => {
    expect(await endUnderLoad(ROUNDS)).toEqual([]);
  });
});
