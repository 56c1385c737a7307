import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { DAY } from '../../src/values/clock.js';
import type { Behaviour } from '../control/behaviour.js';
import type { People } from '../people/people.js';
import type { CheckedSend } from './checked-send.js';
import type { ServiceWindows } from './service-windows.js';

/** The European Economic Area, the United Kingdom, Japan and South Korea: neither senders nor recipients are capped. */
const UNCAPPED = new Set<CountryCode | undefined>(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK GB JP KR'.split(
    ' ',
  ) as CountryCode[],
);

const countryOf = (digits: string): CountryCode | undefined => parsePhoneNumberFromString(`+${digits}`)?.country;

/** Whether this area code of country code 1 is one of the United States. */
const americanAreas = new Map<string, boolean>();

function isAmerican(waId: string): boolean {
  if (!waId.startsWith('1')) return false;
  const area = waId.slice(0, 4);
  const known = americanAreas.get(area);
  if (known !== undefined) return known;
  const found = countryOf(`${area}2345678`) === 'US';
  americanAreas.set(area, found);
  return found;
}

/** Keeps marketing messages from people who get none: those in the United States, and those who had enough of it. */
export class MarketingLimits {
  /** When each person got marketing messages (ms since the epoch), of whichever business; while there is a cap. */
  private readonly received = new Map<string, number[]>();

  constructor(
    private readonly behaviour: Behaviour,
    private readonly people: People,
    private readonly windows: ServiceWindows,
  ) {}

  /** Whether the network drops the message; if not, and it is marketing, it counts for the person. */
  drops({ phone, addressee, template }: CheckedSend): boolean {
    if (template?.category !== 'MARKETING') return false;
    const { us_marketing, marketing_cap } = this.behaviour.settings;
    const { userId } = addressee;
    const waId = addressee.waId ?? this.people.waIdOfUser(userId);
    if (!us_marketing && waId !== undefined && isAmerican(waId)) return true;
    if (marketing_cap === 0 || this.windows.isOpen(phone.phone_number_id, userId)) return false;
    const countries = [phone.display_phone_number.replace(/\D/g, ''), waId ?? ''].map(countryOf);
    if (countries.some((country) => UNCAPPED.has(country))) return false;
    const now = Date.now();
    const recent = (this.received.get(userId) ?? []).filter((at) => at > now - DAY);
    if (recent.length >= marketing_cap) return true;
    this.received.set(userId, [...recent, now]);
    return false;
  }

  reset(): void {
    this.received.clear();
  }
}
