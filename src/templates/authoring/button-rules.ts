import { templateRuleBroken } from '../../errors/domain-error.js';
import { shown } from '../../http/field-rules.js';
import { urlOrNull } from '../../values/parse-url.js';
import { edgeFault, encodingFault } from '../../values/url-encoding.js';
import { BUTTON_TYPES, type ButtonType } from '../template.js';
import type { ButtonDraft } from './template-draft.js';
import { given } from './text-rules.js';

/** The limit of one FLOW button is the network's. */
const MAX_OF_TYPE: Readonly<Record<ButtonType, number>> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
};
/** Requires a host, because the URL parser alone would read `https:///shop` as https://shop. */
const HTTP = /^https?:\/\/[^\s/?#]/i;
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
  if (type !== 'COPY_CODE') given(`${field}.text`, text);
  if (type === 'URL') checkUrl(field, button);
  if (type === 'PHONE_NUMBER' && button.phoneNumber === null) {
    throw templateRuleBroken(`${field}.phone_number is required for a PHONE_NUMBER button`);
  }
  if (type === 'COPY_CODE' && button.copyCodeExample === null && offerCode === null) {
    throw templateRuleBroken(`${field}.copy_code_example is required for a COPY_CODE button unless offer_code is set`);
  }
  if (type === 'FLOW' && button.flowId === null) {
    throw templateRuleBroken(`${field}.flow_id is required for a FLOW button`);
  }
}

/** An http(s) URL, which may end in `{{1}}` and contain no other variable. */
function checkUrl(field: string, button: ButtonDraft): void {
  const url = given(`${field}.url`, button.url);
  checkEdges(`${field}.url`, url);
  const fixed = url.endsWith(SUFFIX) ? url.slice(0, -SUFFIX.length) : url;
  if (/[{}]/.test(fixed)) {
    throw templateRuleBroken(`${field}.url may contain one variable, {{1}}, at its very end (got ${shown(url)})`);
  }
  if (!HTTP.test(fixed) || urlOrNull(fixed) === null) {
    throw templateRuleBroken(`${field}.url must start with http:// or https:// and a host (got ${shown(url)})`);
  }
  const host = new URL(fixed).hostname.toLowerCase().replace(/(?<!\.)\.+$/, '');
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
  checkEncoded(`${field}.url`, fixed, url);
  if (button.urlExample !== null) checkExample(`${field}.url_example`, button.urlExample);
}

/** The value of the variable, or the whole URL with it. */
function checkExample(field: string, example: string): void {
  checkEdges(field, example);
  if (example.includes(SUFFIX)) {
    throw templateRuleBroken(`${field} must have a value in place of ${SUFFIX} (got ${shown(example)})`);
  }
  checkEncoded(field, example, example);
}

function checkEdges(field: string, url: string): void {
  const fault = edgeFault(url);
  if (fault !== null) throw templateRuleBroken(`${field} ${fault} (got ${shown(url)})`);
}

/** Some phones do not open a URL with a character that must not stand in one. */
function checkEncoded(field: string, url: string, got: string): void {
  const fault = encodingFault(url);
  if (fault !== null) throw templateRuleBroken(`${field} ${fault} (got ${shown(got)})`);
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
