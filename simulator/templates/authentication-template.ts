import { isObject, type JsonObject } from '../json-object.js';
import { componentOf } from './template-shape.js';
import { refuse } from './template-texts.js';

const LABEL_LIMIT = 25;
const SECURITY_ADVICE = ' For your security, do not share this code.';
const MAX_MINUTES = 90;

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
  // ONE_TAP and ZERO_TAP require an Android app, which our tenants do not have.
  if (String(button.otp_type).toUpperCase() !== 'COPY_CODE') throw refuse('otp_type must be COPY_CODE');
  const { text = 'Copy code' } = button;
  if (typeof text !== 'string' || text.length > LABEL_LIMIT)
    throw refuse(`OTP button text: at most ${LABEL_LIMIT} characters`);
  const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp';
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
