import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { BusinessPhoneRecord } from '../../../clients/typescript/src/generated/schema.js';
import { words } from '../../words/en.js';
import { count } from '../../words/numbers.js';
import { fullTime } from '../../words/times.js';
import type { Campaign } from './campaign-types.js';
import { phoneNumber } from './phone-number.js';

interface DetailsProps {
  readonly campaign: Campaign;
  readonly phone: BusinessPhoneRecord | null;
}

/** What a campaign was created with. */
export function Details({ campaign, phone }: DetailsProps) {
  const id = useId();
  const { details } = words.campaign;
  const { description, group_names, total_contacts, left_out, created_at, scheduled_at } = campaign;
  const { send_window, send_before, max_failure_percent, template_name, template_language } = campaign;
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{details.title}</h2>
      </header>
      <dl class="facts body num">
        {description !== null && description !== '' && <Fact name={details.description}>{description}</Fact>}
        {phone !== null && (
          <Fact name={details.phone}>
            <bdi>{phoneNumber(phone.phone)}</bdi>
          </Fact>
        )}
        <Fact name={details.template}>
          <bdi>{template_name}</bdi>, <bdi>{template_language}</bdi>
        </Fact>
        {group_names.length > 0 && <Fact name={details.groups}>{group_names.join(', ')}</Fact>}
        <Fact name={details.people}>{count(total_contacts)}</Fact>
        {left_out !== null && (
          <Fact name={details.leftOut}>{details.leftOutOf(left_out.duplicates, left_out.invalid_phones)}</Fact>
        )}
        <Fact name={details.created} title={fullTime(created_at)}>
          {createdOf(campaign)}
        </Fact>
        {scheduled_at !== null && (
          <Fact name={details.schedule} title={fullTime(scheduled_at)}>
            {said(scheduled_at)}
          </Fact>
        )}
        {send_window !== null && <Fact name={details.hours}>{hoursOf(send_window)}</Fact>}
        {send_before !== null && (
          <Fact name={details.before} title={fullTime(send_before)}>
            {said(send_before)}
          </Fact>
        )}
        {phone !== null && (
          <Fact name={details.pace}>
            {phone.throughput > 0 ? words.campaign.pace.limit(phone.throughput) : details.noLimit}
          </Fact>
        )}
        <Fact name={details.brake}>
          {max_failure_percent > 0 ? details.brakeAt(max_failure_percent) : details.noBrake}
        </Fact>
      </dl>
    </section>
  );
}

const said = (at: string): string => words.when(at, new Date());

function createdOf({ created_at, created_by }: Campaign): string {
  const { details } = words.campaign;
  const at = said(created_at);
  if (created_by === null) return at;
  return created_by.source === 'manual' && created_by.name !== null
    ? details.by(at, created_by.name)
    : created_by.source === 'api'
      ? details.byKey(at)
      : at;
}

function hoursOf({ from, to, timezone }: NonNullable<Campaign['send_window']>): string {
  const { details } = words.campaign;
  const hours = details.window(from, to);
  if (timezone === undefined || timezone === null) return hours;
  return timezone === 'recipient' ? details.theirs(hours) : details.inZone(hours, timezone);
}

interface FactProps {
  readonly name: string;
  /** In full, on hover. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

function Fact({ name, title, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd title={title} dir="auto">
        {children}
      </dd>
    </>
  );
}
