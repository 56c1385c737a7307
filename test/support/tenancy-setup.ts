// Runs in every test file (jest.config.js): fails the file when Parley sent a statement without its tenant. Pure unit
// tests, which live in src/, are spared the database driver.
import type { TenancyRecorder } from './tenancy-recorder.js';

let recorder: TenancyRecorder | undefined;

if (/[\\/]test[\\/]/.test(expect.getState().testPath ?? '')) {
  beforeAll(async () => {
    const { TenancyRecorder } = await import('./tenancy-recorder.js');
    recorder = TenancyRecorder.start();
  });
  afterAll(() => recorder?.verify());
}
