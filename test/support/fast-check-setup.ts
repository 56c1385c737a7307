// Runs in every test file (jest.config.js): all properties draw from one seed (test/global-setup.mjs), so a failure can
// be repeated. Files without properties do not load fast-check.
jest.mock('fast-check', () => {
  const fastCheck = jest.requireActual('fast-check');
  fastCheck.configureGlobal({ seed: Number(process.env['FC_SEED']) });
  return fastCheck;
});
