import { NUMBER_ZONES } from './number-zone-data.js';
import type { PhoneNumber } from './phone-number.js';

const NOWHERE: readonly string[] = [];

let known: ReadonlyMap<string, readonly string[]> | null = null;

/**
 * The time zones that a phone number may be in: those of its longest known prefix, which is at least its country's.
 * Equal lists are the same object. Empty for numbers that belong to no country.
 */
export function zonesOfNumber(number: PhoneNumber): readonly string[] {
  known ??= zonesByPrefix();
  for (let length = number.length; length > 0; length -= 1) {
    const zones = known.get(number.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return NOWHERE;
}

function zonesByPrefix(): Map<string, readonly string[]> {
  const byPrefix = new Map<string, readonly string[]>();
  let zones: string[] = [];
  let isComplete = false;
  for (const word of NUMBER_ZONES.trim().split(/\s+/)) {
    const isPrefix = /^\d/.test(word);
    if (isPrefix) byPrefix.set(word, zones);
    else if (isComplete) zones = [word];
    else zones.push(word);
    isComplete = isPrefix;
  }
  return byPrefix;
}
