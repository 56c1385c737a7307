import { useRef } from 'preact/hooks';
import { session } from '../../data/session.js';
import { useLetters } from '../../frame/letters.js';
import { words } from '../../words/en.js';
import type { Campaign } from '../campaign/campaign-api.js';
import { CampaignRow, type RowChoice } from './campaign-row.js';

interface CampaignTableProps {
  readonly rows: readonly Campaign[];
  /** The campaign that waits for an answer. */
  readonly busy: string | null;
  readonly choose: (campaign: Campaign, choice: RowChoice) => void;
}

/** Keys that move through rows besides the letters. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Campaigns, a row each. */
export function CampaignTable({ rows, busy, choose }: CampaignTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const { columns, keys } = words.campaigns;
  const mayChange = session.value?.scopes.includes('campaigns:write') === true;

  const step = (by: number): void => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('.name a') ?? [])];
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
    links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
  };
  useLetters({
    j: { label: keys.next, press: () => step(1) },
    k: { label: keys.previous, press: () => step(-1) },
  });

  return (
    <table
      ref={table}
      class={mayChange ? 'campaigns with-menu' : 'campaigns'}
      onKeyDown={(event) => {
        const by = STEPS[event.key];
        if (by === undefined || !(event.target instanceof HTMLAnchorElement)) return;
        event.preventDefault();
        step(by);
      }}
    >
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.status}</th>
          <th scope="col">{columns.sent}</th>
          <th scope="col">
            {columns.read} <span class="hide">{words.campaigns.readOf}</span>
          </th>
          <th scope="col">{columns.failed}</th>
          <th scope="col">{columns.when}</th>
          {mayChange && (
            <th scope="col">
              <span class="hide">{columns.more}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((campaign) => (
          <CampaignRow
            key={campaign.campaign_id}
            campaign={campaign}
            choose={mayChange ? choose : null}
            isBusy={busy === campaign.campaign_id}
          />
        ))}
      </tbody>
    </table>
  );
}
