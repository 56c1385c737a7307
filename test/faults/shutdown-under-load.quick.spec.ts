import { shutDownUnderLoad } from './shutdown-under-load.js';

jest.setTimeout(900_000);

const ROUNDS = process.env['FAULT_ROUNDS'] === '1' ? 1 : 4;

describe('SIGTERM under load on keep-alive connections', () => {
  it('shows at /health/ready first and breaks no request', async () => {
    expect(await shutDownUnderLoad(ROUNDS)).toEqual([]);
  });
});
