// Runs in every test file (see jest.config.js) and fails it if Parley sent a statement without its tenant. Skips unit
// tests in src/ so that they need not load the database driver.
import type { TenancyRecorder } from './tenancy-recorder.js';

let recorder: TenancyRecorder | undefined;

if (/[\\/]tests?[\\/]/.test(expect.getState().testPath ?? '')) {
  beforeAll(async () => {
    const { TenancyRecorder } = await import('./tenancy-recorder.js');
    recorder = TenancyRecorder.start();
  });
  afterAll(() => {
    recorder?.stop();
    recorder?.verify();
  });
}
