import { ErasureRounds } from './erasure-rounds.js';
import { IS_QUICK } from './verdict.js';

jest.setTimeout(900_000);

const QUICK_SEEDS = [1, 2];
/** The long form runs `FAULT_SEEDS` seeds from `FAULT_SEED` on. */
const FIRST_SEED = Number(process.env['FAULT_SEED'] ?? 1);
const LONG_SEEDS = Array.from({ length: Number(process.env['FAULT_SEEDS'] ?? 10) }, (_, place) => FIRST_SEED + place);

describe('erasures while processes are killed', () => {
  let rounds: ErasureRounds;

  beforeAll(async () => {
    rounds = await ErasureRounds.start();
  });
  afterAll(() => rounds?.stop());

  it.each(IS_QUICK ? QUICK_SEEDS : LONG_SEEDS)(
    'complete, leave no personal data and lose nothing else (seed %i)',
    async (seed) => {
      expect(await rounds.run(seed)).toEqual([]);
    },
  );
});
