import { badRequest } from '../../errors/domain-error.js';
import { isBlankText } from '../../http/field-rules.js';
import { cutOff, quoted } from '../../values/shown-text.js';
import type { TemplateButton } from '../template-content.js';
import { fill } from '../template-variables.js';
import { type ButtonInput, MAX_COUPON, MAX_PAYLOAD } from './sending-input.js';
import { checkFilled, type Filling, type Parameter } from './template-filling.js';

/** A button as the recipient sees it; `url` is complete. */
export interface FilledButton extends Pick<TemplateButton, 'type' | 'text' | 'url' | 'phoneNumber'> {
  readonly couponCode: string | null;
}

/** The buttons of a message: as shown to the recipient, and as `button` components for the network. */
export interface FilledButtons {
  readonly buttons: readonly FilledButton[];
  readonly components: readonly object[];
}

/** Builds a `button` component. */
export const buttonComponent = (subType: string, index: number, parameter: Parameter): object => ({
  type: 'button',
  sub_type: subType,
  index: String(index),
  parameters: [parameter],
});

/**
 * Fills in the buttons of a template.
 *
 * @param offerCode the template's own code for a COPY_CODE button
 * @throws DomainError 400 for parameters that match no button, and for values that no button takes, unless the values were
 *   accepted before: the template may have been changed since
 */
export function fillButtons(
  buttons: readonly TemplateButton[],
  params: readonly ButtonInput[],
  offerCode: string | null,
  filling: Filling,
): FilledButtons {
  const byIndex = paramsByIndex(params, buttons.length);
  const filled: FilledButton[] = [];
  const components: object[] = [];
  for (const [index, button] of buttons.entries()) {
    const given = byIndex.get(index);
    const field = `button_params[${given?.position ?? index}]`;
    const param = given?.param ?? null;
    if (param !== null && !filling.isStored) refuseUnused(field, index, button, param);
    const { shown, component } = fillButton(button, index, field, param, offerCode, filling);
    filled.push(shown);
    if (component !== null) components.push(component);
  }
  return { buttons: filled, components };
}

function paramsByIndex(
  params: readonly ButtonInput[],
  count: number,
): Map<number, { param: ButtonInput; position: number }> {
  const byIndex = new Map<number, { param: ButtonInput; position: number }>();
  for (const [position, param] of params.entries()) {
    if (param.index >= count) {
      throw badRequest(
        `button_params[${position}].index must be the index of a button: the template has ${count} (got ${param.index})`,
      );
    }
    if (byIndex.has(param.index)) {
      throw badRequest(`button_params[${position}].index names the button ${param.index} a second time`);
    }
    byIndex.set(param.index, { param, position });
  }
  return byIndex;
}

/** The field whose value a button takes; null for none. */
function takenBy({ type, hasUrlVariable }: TemplateButton): string | null {
  if (type === 'URL') return hasUrlVariable ? 'url_param' : null;
  return type === 'QUICK_REPLY' ? 'payload' : type === 'COPY_CODE' ? 'coupon_code' : null;
}

/** Refuses values that would never reach anybody, such as the end of a URL for a quick reply. */
function refuseUnused(field: string, index: number, button: TemplateButton, param: ButtonInput): void {
  const taken = takenBy(button);
  const values = { url_param: param.urlParam, payload: param.payload, coupon_code: param.couponCode };
  for (const [name, value] of Object.entries(values)) {
    if (name === taken || value === null || isBlankText(value)) continue;
    const label = button.text === '' ? '' : ` (${quoted(cutOff(button.text))})`;
    const isPlainUrl = button.type === 'URL' && taken === null;
    const kind = isPlainUrl ? 'a URL without a variable' : `of type ${button.type}, which takes ${taken ?? 'no value'}`;
    throw badRequest(`${field}.${name} must be left out: button ${index}${label} is ${kind}`);
  }
}

function fillButton(
  button: TemplateButton,
  index: number,
  field: string,
  param: ButtonInput | null,
  offerCode: string | null,
  filling: Filling,
): { shown: FilledButton; component: object | null } {
  const { type, text, url, phoneNumber } = button;
  const shown = { type, text, url, phoneNumber, couponCode: null };
  switch (type) {
    case 'URL': {
      if (!button.hasUrlVariable) return { shown, component: null };
      const suffix = filling.need(`${field}.url_param`, param?.urlParam);
      if (suffix === null) return { shown, component: null };
      const encoded = filling.suffix(`${field}.url_param`, suffix, url);
      return { shown: { ...shown, url: completeUrl(url, encoded) }, component: urlComponent(index, encoded) };
    }
    case 'QUICK_REPLY':
      return { shown, component: replyComponent(`${field}.payload`, index, param?.payload || text) };
    case 'COPY_CODE': {
      const code = filling.need(`${field}.coupon_code`, param?.couponCode || offerCode || button.example);
      if (code === null) return { shown, component: null };
      checkFilled(`${field}.coupon_code`, code, MAX_COUPON);
      const component = buttonComponent('copy_code', index, { type: 'coupon_code', coupon_code: code });
      return { shown: { ...shown, couponCode: code }, component };
    }
    case 'FLOW': {
      const action = { type: 'action', action: { flow_token: filling.newFlowToken() } };
      return { shown, component: buttonComponent('flow', index, action) };
    }
    default:
      return { shown, component: null };
  }
}

/** Builds the component of a URL button whose URL ends in a variable. */
export const urlComponent = (index: number, suffix: string): object =>
  buttonComponent('url', index, { type: 'text', text: suffix });

/** Builds the component of a quick reply. */
export function replyComponent(field: string, index: number, payload: string): object {
  checkFilled(field, payload, MAX_PAYLOAD);
  return buttonComponent('quick_reply', index, { type: 'payload', payload });
}

const completeUrl = (url: string | null, suffix: string): string | null =>
  url === null ? null : fill(url, new Map([['1', suffix]]));
