import fc from 'fast-check';

describe('properties', () => {
  it('draw from the one seed of the run', () => {
    expect(fc.readConfigureGlobal().seed).toBe(Number(process.env['FC_SEED']));
    const draw = (): number[] => fc.sample(fc.nat(), 5);
    expect(draw()).toEqual(draw());
  });
});
