import { exceeds, isObject, isText, type JsonObject } from '../json-object.js';
import { isLink, isOpenable } from '../media/media-rules.js';
import { checkText, refuse } from './template-texts.js';

const MAX_BUTTONS = 10;
const MAX_OF: Record<string, number> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
  CATALOG: 1,
  MPM: 1,
  SPM: 1,
  ORDER_DETAILS: 1,
  VOICE_CALL: 1,
  REQUEST_CONTACT_INFO: 1,
};
/** Buttons whose label the network writes itself. */
const UNLABELLED = ['COPY_CODE', 'REQUEST_CONTACT_INFO'];
const LABEL_LIMIT = 25;
const URL_LIMIT = 2000;
const COUPON_LIMIT = 20;
const PHONE = /^\+?\d{5,20}$/;

/** The network's own domains; buttons must not link to them. */
const OWN_DOMAINS =
  /(^|\.)(wa\.me|whatsapp\.com|facebook\.com|fb\.com|fb\.me|instagram\.com|meta\.com|messenger\.com)$/i;

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

function checkUrl({ url, example }: JsonObject): void {
  if (!isText(url) || exceeds(url, URL_LIMIT))
    throw refuse(`URL button needs a url of at most ${URL_LIMIT} characters`);
  const [address = '', ...rest] = url.split(/\{\{\s*1\s*\}\}/);
  if (!isLink(address) || /[{}]/.test(address)) {
    throw refuse('url must start with http:// or https:// and may hold {{1}} at its end only');
  }
  if (!isOpenable(address)) throw refuse('url must be percent-encoded');
  if (OWN_DOMAINS.test(new URL(address).hostname)) throw refuse("url must not lead to the network's own domains");
  if (rest.length === 0) return;
  if (rest.length > 1 || rest[0] !== '') throw refuse('url may hold one variable, {{1}}, at its end');
  const shown = first(example);
  if (!isText(shown)) throw refuse('url with {{1}} needs an example', 2388043);
  if (!isOpenable(shown)) throw refuse('the example of url must be percent-encoded');
}

function checkFlow({ flow_id, flow_name, flow_json, flow_action = 'navigate', navigate_screen }: JsonObject): void {
  if (!isText(flow_id) && !isText(flow_name) && !isText(flow_json)) throw refuse('FLOW button needs a flow_id');
  if (flow_action !== 'navigate' && flow_action !== 'data_exchange') {
    throw refuse('flow_action must be navigate or data_exchange');
  }
  if (navigate_screen !== undefined && !isText(navigate_screen)) throw refuse('navigate_screen must be a string');
}

function checkButton(button: JsonObject, type: string): void {
  if (!UNLABELLED.includes(type)) checkText(button.text, `${type} button`, LABEL_LIMIT);
  if (type === 'URL') checkUrl(button);
  else if (type === 'FLOW') checkFlow(button);
  else if (type === 'PHONE_NUMBER') {
    if (!isText(button.phone_number) || !PHONE.test(button.phone_number)) {
      throw refuse('PHONE_NUMBER button needs a phone_number of 5 to 20 digits');
    }
  } else if (type === 'COPY_CODE') {
    const code = first(button.example);
    if (!isText(code) || exceeds(code, COUPON_LIMIT)) {
      throw refuse(`COPY_CODE button needs an example of at most ${COUPON_LIMIT} characters`, 2388043);
    }
  }
}

/** Rejects a BUTTONS component that the network would reject; returns the button types in order. */
export function checkButtons(component: JsonObject, max = MAX_BUTTONS, allowed = Object.keys(MAX_OF)): string[] {
  const { buttons } = component;
  if (!Array.isArray(buttons) || buttons.length < 1 || buttons.length > max) {
    throw refuse(`BUTTONS must hold 1 to ${max} buttons`);
  }
  const types = buttons.map((button) => {
    const type = isObject(button) ? String(button.type).toUpperCase() : '';
    if (!isObject(button) || !allowed.includes(type)) throw refuse(`button type must be one of ${allowed.join(', ')}`);
    checkButton(button, type);
    return type;
  });
  for (const [type, limit] of Object.entries(MAX_OF)) {
    if (types.filter((each) => each === type).length > limit) throw refuse(`at most ${limit} ${type} buttons`);
  }
  const groups = types.filter((type, i) => (type === 'QUICK_REPLY') !== (types[i - 1] === 'QUICK_REPLY'));
  if (groups.filter((type) => type === 'QUICK_REPLY').length > 1) {
    throw refuse('quick replies must stand together, not between other buttons');
  }
  return types;
}
