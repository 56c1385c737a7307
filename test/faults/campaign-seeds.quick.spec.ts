import { planOf } from './campaign-plan.js';
import { CampaignRounds } from './campaign-rounds.js';
import { say } from './figures.js';
import { IS_QUICK } from './verdict.js';

jest.setTimeout(900_000);

/** Together these cover killed and stopped workers, network resets, a silent database and every action. */
const QUICK_SEEDS = [3, 14, 21];
/** The long form runs `FAULT_SEEDS` seeds from `FAULT_SEED` on. */
const FIRST_SEED = Number(process.env['FAULT_SEED'] ?? 1);
const LONG_SEEDS = Array.from({ length: Number(process.env['FAULT_SEEDS'] ?? 25) }, (_, place) => FIRST_SEED + place);

describe('campaigns under random faults and actions', () => {
  let rounds: CampaignRounds;

  beforeAll(async () => {
    rounds = await CampaignRounds.start();
  });
  afterAll(() => rounds?.stop());

  it.each(IS_QUICK ? QUICK_SEEDS : LONG_SEEDS)(
    'send to no recipient twice, account for all, and balance their books (seed %i)',
    async (seed) => {
      const plan = planOf(seed);
      say(JSON.stringify(plan));
      expect({ plan, found: await rounds.run(plan) }).toEqual({ plan, found: [] });
    },
  );
});
