import { ControlError } from '../control/control-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import type { SimulatedPhone } from '../phone-registry.js';

/** The network's name for a messaging limit: 2000 people is `TIER_2K`, -1 (no limit) is `TIER_UNLIMITED`. */
const tierOf = (limit: number): string =>
  limit < 0 ? 'TIER_UNLIMITED' : `TIER_${limit > 0 && limit % 1000 === 0 ? `${limit / 1000}K` : limit}`;

const TEXTS = ['quality_rating', 'throughput_level', 'messaging_limit', 'portfolio_id', 'platform_type', 'name_status'];

/**
 * Reads the body of `POST /_sim/phones`.
 *
 * @throws ControlError naming the field
 */
export function declaredPhone({ messaging_limit: limit, ...input }: JsonObject): SimulatedPhone {
  const { phone_number_id, waba_id, display_phone_number } = input;
  const required = { phone_number_id, waba_id, display_phone_number };
  for (const [name, value] of Object.entries(required))
    if (!isText(value)) throw new ControlError(`${name} is required`);
  if (!/^[^/?#\s]+$/.test(`${phone_number_id}${waba_id}`))
    throw new ControlError('ids must not contain /, ?, # or spaces');
  const messaging_limit = Number.isSafeInteger(limit) ? tierOf(limit as number) : limit;
  const given = Object.entries({ ...input, messaging_limit }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const texts = given.filter(([name]) => TEXTS.includes(name));
  for (const [name, value] of texts) if (!isText(value)) throw new ControlError(`${name} must be a string`);
  const { pin, is_on_biz_app, registered, health_status, webhook_configuration, error_code } =
    Object.fromEntries(given);
  if (pin !== undefined && !/^\d{6}$/.test(String(pin))) throw new ControlError('pin must be a string of six digits');
  for (const [name, value] of Object.entries({ is_on_biz_app, registered }))
    if (value !== undefined && typeof value !== 'boolean') throw new ControlError(`${name} must be true or false`);
  for (const [name, value] of Object.entries({ health_status, webhook_configuration }))
    if (value !== undefined && !isObject(value)) throw new ControlError(`${name} must be an object`);
  if (error_code !== undefined && !Number.isSafeInteger(error_code))
    throw new ControlError('error_code must be an integer');
  const others = { pin, is_on_biz_app, registered, health_status, webhook_configuration, error_code };
  const declared = Object.entries(others).filter(([, value]) => value !== undefined);
  return { ...required, ...Object.fromEntries([...texts, ...declared]) } as unknown as SimulatedPhone;
}
