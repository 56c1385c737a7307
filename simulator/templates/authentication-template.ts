import { isObject, isText, type JsonObject, objectsOf } from '../json-object.js';
import { componentOf } from './template-shape.js';
import { refuse } from './template-texts.js';

/** Where the button of a one-time code leads. */
export const CODE_LINK = 'https://www.whatsapp.com/otp/code/';
const LABEL_LIMIT = 25;
const SECURITY_ADVICE = ' For your security, do not share this code.';
const MAX_MINUTES = 90;
const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'];

function bodyOf(body: JsonObject | undefined): JsonObject {
  if (!body) throw refuse('BODY is required');
  const { text, add_security_recommendation: advice } = body;
  if (text !== undefined) throw refuse('AUTHENTICATION templates have a fixed BODY text');
  if (advice !== undefined && typeof advice !== 'boolean')
    throw refuse('add_security_recommendation must be true or false');
  return {
    type: 'BODY',
    text: `*{{1}}* is your verification code.${advice ? SECURITY_ADVICE : ''}`,
    ...(advice === undefined ? {} : { add_security_recommendation: advice }),
    example: { body_text: [['123456']] },
  };
}

function footerOf(footer: JsonObject | undefined): JsonObject[] {
  if (!footer) return [];
  const { text, code_expiration_minutes: minutes } = footer;
  if (text !== undefined) throw refuse('AUTHENTICATION templates have a fixed FOOTER text');
  if (!Number.isInteger(minutes) || (minutes as number) < 1 || (minutes as number) > MAX_MINUTES) {
    throw refuse(`code_expiration_minutes must be 1 to ${MAX_MINUTES}`);
  }
  return [{ type: 'FOOTER', text: `This code expires in ${minutes} minutes.`, code_expiration_minutes: minutes }];
}

/** Requires what the network needs to hand the code to an app. */
function checkApps({ supported_apps: apps, zero_tap_terms_accepted: accepted }: JsonObject, otpType: string): void {
  const named = objectsOf(apps).filter(
    ({ package_name, signature_hash: hash }) => isText(package_name) && isText(hash),
  );
  if (named.length === 0 || named.length > 5) {
    throw refuse(`${otpType} needs 1 to 5 supported_apps {package_name, signature_hash}`);
  }
  if (otpType === 'ZERO_TAP' && accepted !== true) throw refuse('ZERO_TAP needs zero_tap_terms_accepted');
}

function buttonsOf(component: JsonObject | undefined): JsonObject {
  const buttons = component?.buttons;
  const [button] = Array.isArray(buttons) ? buttons : [];
  if (
    !Array.isArray(buttons) ||
    buttons.length !== 1 ||
    !isObject(button) ||
    String(button.type).toUpperCase() !== 'OTP'
  ) {
    throw refuse('AUTHENTICATION templates have exactly one OTP button');
  }
  const otpType = String(button.otp_type).toUpperCase();
  if (!OTP_TYPES.includes(otpType)) throw refuse(`otp_type must be one of ${OTP_TYPES.join(', ')}`);
  if (otpType !== 'COPY_CODE') checkApps(button, otpType);
  const { text = 'Copy code' } = button;
  if (typeof text !== 'string' || text.length > LABEL_LIMIT)
    throw refuse(`OTP button text: at most ${LABEL_LIMIT} characters`);
  const url = `${CODE_LINK}?otp_type=${otpType}&code=otp`;
  return { type: 'BUTTONS', buttons: [{ type: 'URL', text, url: `${url}{{1}}`, example: [`${url}123456`] }] };
}

/**
 * The components of an AUTHENTICATION template as the network stores them. The network supplies the texts and turns the
 * OTP button into a URL button, which is why a message carries the code twice.
 */
export function authenticationComponents(components: JsonObject[]): JsonObject[] {
  const other = components.find(({ type }) => !['BODY', 'FOOTER', 'BUTTONS'].includes(String(type).toUpperCase()));
  if (other) throw refuse(`AUTHENTICATION templates take no ${String(other.type)}`);
  return [
    bodyOf(componentOf(components, 'BODY')),
    ...footerOf(componentOf(components, 'FOOTER')),
    buttonsOf(componentOf(components, 'BUTTONS')),
  ];
}
