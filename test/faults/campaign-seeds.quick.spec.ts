import { planOf } from './campaign-plan.js';
import { CampaignRounds } from './campaign-rounds.js';
import { say } from './figures.js';
import { IS_QUICK } from './verdict.js';

jest.setTimeout(240_000);

/** `FAULT_SEED` is the first seed and `FAULT_SEEDS` says how many follow each other. */
const FIRST_SEED = Number(process.env['FAULT_SEED'] ?? 1);
const SEEDS = IS_QUICK ? 3 : Number(process.env['FAULT_SEEDS'] ?? 25);

describe('campaigns, whatever breaks and whoever interferes', () => {
  let rounds: CampaignRounds;

  beforeAll(async () => {
    rounds = await CampaignRounds.start();
  });
  afterAll(() => rounds?.stop());

  it.each(Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index))(
    'reach nobody twice, account for everybody and balance their books (seed %i)',
    async (seed) => {
      const plan = planOf(seed);
      say(JSON.stringify(plan));
      expect({ plan, found: await rounds.run(plan) }).toEqual({ plan, found: [] });
    },
  );
});
