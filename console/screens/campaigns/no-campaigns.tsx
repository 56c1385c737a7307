import { accountId } from '../../data/account.js';
import { addressOf } from '../../frame/route-match.js';
import { searchWith } from '../../frame/router.js';
import { words } from '../../words/en.js';
import type { CampaignsFilter } from './campaigns-filter.js';

const CREATE = 'POST /api/v1/campaigns';

/** In the place of a list without rows: what belongs there, and the one thing that fills it. */
export function NoCampaigns({ filter, hasNone }: { filter: CampaignsFilter; hasNone: boolean }) {
  const { empty } = words.campaigns;
  const base = addressOf(accountId.value, 'campaigns');
  if (hasNone) {
    return (
      <div class="nothing">
        <p>{empty.text}</p>
        <p class="dim sm">
          {empty.how} <code>{CREATE}</code>
        </p>
      </div>
    );
  }
  const isBeyond = filter.page > 1;
  return (
    <div class="nothing">
      <p>{isBeyond ? empty.noPage : empty.nothing}</p>
      <a class="link" href={isBeyond ? base + searchWith({ page: null }) : base}>
        {isBeyond ? empty.firstPage : empty.clear}
      </a>
    </div>
  );
}
