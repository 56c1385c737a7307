import type { RecipientRecord } from '../../../clients/typescript/src/generated/schema.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { words } from '../../words/en.js';
import { fullTime } from '../../words/times.js';
import { titleOf } from './failure-groups.js';
import { phoneNumber } from './phone-number.js';
import { secondOf } from './second-of.js';
import { useIsNarrow } from './use-is-narrow.js';

/** How each status looks; those that need nobody are quiet. */
const TICKS: Readonly<Record<string, readonly [icon: IconName, tone: string]>> = {
  pending: ['clock', ''],
  accepted: ['check', ''],
  sent: ['check', ''],
  delivered: ['checks', ''],
  read: ['checks', ' read'],
  clicked: ['checks', ' read'],
  failed: ['alert', ' failed'],
  cancelled: ['stop', ''],
};

const STEPS = ['sent', 'delivered', 'read', 'clicked', 'replied'] as const;

/** A page of people, as a table or as rows of two lines. */
export function PeopleRows({ rows }: { rows: readonly RecipientRecord[] }) {
  return useIsNarrow() ? <NarrowRows rows={rows} /> : <Table rows={rows} />;
}

function Table({ rows }: { rows: readonly RecipientRecord[] }) {
  const { caption, columns } = words.campaign.people;
  return (
    <table class="data num">
      <caption class="hide">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.number}</th>
          <th scope="col">{columns.status}</th>
          {STEPS.map((step) => (
            <th key={step} scope="col">
              {columns[step]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.contact_id}>
            <th scope="row">
              <Name row={row} />
            </th>
            <td class="dim">
              <PhoneNumber row={row} />
            </td>
            <td>
              <Status row={row} />
            </td>
            <Times row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The times of the steps; of those who failed, the reason instead of steps that they did not reach. */
function Times({ row }: { row: RecipientRecord }) {
  const reason = reasonOf(row);
  if (reason === null) {
    return (
      <>
        {STEPS.map((step) => (
          <td key={step} class="faint">
            <Second at={row[`${step}_at`]} />
          </td>
        ))}
      </>
    );
  }
  return (
    <>
      <td class="faint">
        <Second at={row.sent_at} />
      </td>
      <td class="dim" colSpan={STEPS.length - 1} dir="auto">
        {reason}
      </td>
    </>
  );
}

function NarrowRows({ rows }: { rows: readonly RecipientRecord[] }) {
  const { columns, step: said } = words.campaign.people;
  return (
    <ul class="rows sm">
      {rows.map((row) => {
        const reached = STEPS.flatMap((step) => {
          const at = row[`${step}_at`];
          return at === null ? [] : [said(columns[step], secondOf(at))];
        });
        return (
          <li key={row.contact_id} class="person">
            <p class="strong cut">
              <Name row={row} />
            </p>
            <p class="dim num">
              <PhoneNumber row={row} />
            </p>
            <Status row={row} />
            <p class="faint xs num" dir="auto">
              {[...reached, ...(reasonOf(row) === null ? [] : [reasonOf(row)])].join(' · ')}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function Name({ row: { contact_name } }: { row: RecipientRecord }) {
  const { nameless } = words.campaign.people;
  return contact_name === '' ? <span class="faint">{nameless}</span> : <span dir="auto">{contact_name}</span>;
}

function PhoneNumber({ row: { contact_phone } }: { row: RecipientRecord }) {
  const { noNumber } = words.campaign.people;
  return contact_phone === null ? <span class="faint">{noNumber}</span> : <bdi>{phoneNumber(contact_phone)}</bdi>;
}

function Status({ row: { status } }: { row: RecipientRecord }) {
  const [icon, tone] = TICKS[status] ?? ['clock', ''];
  return (
    <span class={`ticks${tone}`}>
      <Icon name={icon} />
      {words.campaign.people.statuses[status] ?? status}
    </span>
  );
}

function Second({ at }: { at: string | null }) {
  if (at === null) return null;
  return (
    <time dateTime={at} title={fullTime(at)}>
      {secondOf(at)}
    </time>
  );
}

/** Why somebody did not get it; null for those who did, or wait. */
function reasonOf({ status, error_code, error_message }: RecipientRecord): string | null {
  if (status === 'cancelled') return words.campaign.people.notSent;
  if (error_code === null) return null;
  const title = titleOf({ error_code, title: error_message ?? words.campaign.people.statuses['failed'] ?? '' });
  return words.campaign.failures.withCode(title, error_code);
}
