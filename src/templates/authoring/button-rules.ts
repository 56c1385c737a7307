import { templateRuleBroken } from '../../errors/domain-error.js';
import { shown, wrongChoice } from '../../http/field-rules.js';
import { parseUrl } from '../../values/parse-url.js';
import { BUTTON_TYPES, type ButtonType } from '../template.js';

import type { ButtonDraft } from './template-draft.js';
import { checkLength, checkRequired } from './text-rules.js';

const MAX_BUTTONS = 10;
/** The limit of one FLOW button is the network's. */
const MAX_OF_TYPE: Readonly<Record<ButtonType, number>> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
};
const MAX_LABEL = 25;
/** The network's limits, characters. */
const MAX_URL = 2000;
const MAX_COUPON = 20;
const PHONE = /^\+?[0-9]{5,20}$/;
/** Requires a host, because the URL parser alone would read `https:///shop` as https://shop. */
const HTTP = /^https?:\/\/[^\s/?#]/i;
const FLOW_ACTIONS = ['navigate', 'data_exchange'];
const SUFFIX = '{{1}}';

/** The network's own domains; it refuses buttons that link to them. */
const NETWORK_DOMAINS = [
  'wa.me',
  'whatsapp.com',
  'facebook.com',
  'fb.com',
  'fb.me',
  'instagram.com',
  'meta.com',
  'messenger.com',
];

/** The parts of a template that the rules of its buttons depend on. */
export interface ButtonContext {
  /** The array's path in error messages: `buttons` or `cards[0].buttons`. */
  readonly field: string;
  /** Replaces a missing `copy_code_example`. */
  readonly offerCode: string | null;
}

/**
 * Checks the number of buttons per type, the fields of each, and that quick replies are adjacent.
 *
 * @throws DomainError 422 `{detail}` naming the button, the rule and the value
 */
export function checkButtons(buttons: readonly ButtonDraft[], { field, offerCode }: ButtonContext): void {
  if (buttons.length > MAX_BUTTONS) {
    throw templateRuleBroken(`${field} must have at most ${MAX_BUTTONS} entries (got ${buttons.length})`);
  }
  for (const type of BUTTON_TYPES) {
    const found = buttons.filter((button) => button.type === type).length;
    if (found > MAX_OF_TYPE[type]) {
      throw templateRuleBroken(`${field} must have at most ${MAX_OF_TYPE[type]} of type ${type} (got ${found})`);
    }
  }
  for (const [index, button] of buttons.entries()) checkButton(`${field}[${index}]`, button, offerCode);
  checkGrouping(field, buttons);
}

function checkButton(field: string, button: ButtonDraft, offerCode: string | null): void {
  const { type, text } = button;
  // The network writes the label of a copy-code button itself.
  if (type !== 'COPY_CODE') checkRequired(`${field}.text`, text, MAX_LABEL);
  else if (text !== null) checkLength(`${field}.text`, text, MAX_LABEL);
  if (type === 'URL') checkUrl(field, button);
  if (type === 'PHONE_NUMBER') checkPhoneNumber(field, button.phoneNumber);
  if (type === 'COPY_CODE') checkCopyCode(field, button.copyCodeExample, offerCode);
  if (type === 'FLOW') checkFlow(field, button);
}

/** An http(s) URL, which may end in `{{1}}` and contain no other variable. */
function checkUrl(field: string, { url: given, urlExample }: ButtonDraft): void {
  const url = checkRequired(`${field}.url`, given, MAX_URL);
  const fixed = url.endsWith(SUFFIX) ? url.slice(0, -SUFFIX.length) : url;
  if (/[{}]/.test(fixed)) {
    throw templateRuleBroken(`${field}.url may contain one variable, {{1}}, at its very end (got ${shown(url)})`);
  }
  if (!HTTP.test(fixed) || parseUrl(fixed) === null) {
    throw templateRuleBroken(`${field}.url must start with http:// or https:// and a host (got ${shown(url)})`);
  }
  const host = new URL(fixed).hostname.toLowerCase().replace(/\.+$/, '');
  // A variable right after the host could change the host.
  if (url !== fixed && !/^https?:\/\/[^/?#]+[/?#]/i.test(fixed)) {
    throw templateRuleBroken(`${field}.url must have a path before {{1}} (got ${shown(url)})`);
  }
  const domain = NETWORK_DOMAINS.find((own) => host === own || host.endsWith(`.${own}`));
  if (domain !== undefined) {
    throw templateRuleBroken(
      `${field}.url must not lead to the messaging network's own domain ${domain} (got ${shown(url)})`,
    );
  }
  if (urlExample !== null) checkLength(`${field}.url_example`, urlExample, MAX_URL);
}

function checkPhoneNumber(field: string, phoneNumber: string | null): void {
  if (phoneNumber === null) throw templateRuleBroken(`${field}.phone_number is required for a PHONE_NUMBER button`);
  if (!PHONE.test(phoneNumber)) {
    throw templateRuleBroken(
      `${field}.phone_number must be 5 to 20 digits with the country code first (got ${shown(phoneNumber)})`,
    );
  }
}

function checkCopyCode(field: string, example: string | null, offerCode: string | null): void {
  if (example === null && offerCode === null) {
    throw templateRuleBroken(`${field}.copy_code_example is required for a COPY_CODE button unless offer_code is set`);
  }
  if (example !== null) checkLength(`${field}.copy_code_example`, example, MAX_COUPON);
}

function checkFlow(field: string, { flowId, flowAction }: ButtonDraft): void {
  if (flowId === null) throw templateRuleBroken(`${field}.flow_id is required for a FLOW button`);
  if (flowAction !== null && !FLOW_ACTIONS.includes(flowAction)) {
    throw templateRuleBroken(wrongChoice(`${field}.flow_action`, flowAction, FLOW_ACTIONS));
  }
}

/** The network refuses quick replies mixed in with other buttons. */
function checkGrouping(field: string, buttons: readonly ButtonDraft[]): void {
  const isReply = buttons.map(({ type }) => type === 'QUICK_REPLY');
  const groups = isReply.filter((reply, index) => reply && !isReply[index - 1]).length;
  if (groups > 1) {
    throw templateRuleBroken(
      `${field} must keep its QUICK_REPLY buttons together (got ${buttons.map(({ type }) => type).join(', ')})`,
    );
  }
}
