import type { TemplateRequest } from '../sync/network-template.js';
import { isMediaFormat, type NetworkComponent, type ParameterFormat } from '../template.js';
import { networkText, networkVariablesOf, parameterFormatOf } from '../template-variables.js';
import type { ButtonDraft, CardDraft, CarouselDraft, Examples, HeaderDraft, TemplateDraft } from './template-draft.js';

/** The network's handles of uploaded example files: one for a media header, or one per carousel card. */
export type MediaHandles = readonly string[];

/** Builds the request that creates `draft`; check its rules first. */
export function templateRequest(draft: TemplateDraft | CarouselDraft, handles: MediaHandles): TemplateRequest {
  const header = draft.kind === 'standard' && draft.header?.format === 'TEXT' ? (draft.header.text ?? '') : '';
  const format = parameterFormatOf([header, draft.body?.text ?? '']);
  return {
    name: draft.name,
    language: draft.language,
    category: draft.kind === 'carousel' ? 'MARKETING' : draft.category,
    parameter_format: format,
    ...(draft.messageSendTtlSeconds === null ? {} : { message_send_ttl_seconds: draft.messageSendTtlSeconds }),
    components: componentsOf(draft, format, handles),
  };
}

function componentsOf(
  draft: TemplateDraft | CarouselDraft,
  format: ParameterFormat,
  handles: MediaHandles,
): NetworkComponent[] {
  if (draft.kind === 'carousel') {
    const cards = draft.cards.map((card, index) => ({ components: cardOf(card, handles[index] ?? '') }));
    return [bodyOf(draft, format), { type: 'CAROUSEL', cards }];
  }
  if (draft.category === 'AUTHENTICATION') return authenticationOf(draft);
  const { header, limitedTimeOffer: offer, footer, buttons, offerCode } = draft;
  return [
    ...(header === null ? [] : [headerOf(header, format, handles)]),
    ...(offer === null
      ? []
      : [
          {
            type: 'LIMITED_TIME_OFFER',
            limited_time_offer: { text: offer.text, has_expiration: offer.hasExpiration },
          },
        ]),
    bodyOf(draft, format),
    ...(footer === null ? [] : [{ type: 'FOOTER', text: footer.text }]),
    ...(buttons === null || buttons.length === 0 ? [] : [buttonsOf(buttons, offerCode)]),
  ];
}

/**
 * The `example` of a text: `{<part>_text: …}` for numbered, `{<part>_text_named_params: […]}` for named ones.
 */
function textExample(part: 'header' | 'body', text: string, examples: Examples, format: ParameterFormat): object {
  const variables = networkVariablesOf(text);
  if (variables.length === 0) return {};
  const given = new Map(Object.entries(examples).map(([name, example]) => [name.trim().toLowerCase(), example]));
  const exampleOf = (variable: string): string => {
    const example = given.get(variable) ?? '';
    // The network requires an example, so the variable's name is the fallback.
    return example.trim() === '' ? variable : example;
  };
  const values = variables.map((variable) => ({ param_name: variable, example: exampleOf(variable) }));
  if (format === 'NAMED') return { example: { [`${part}_text_named_params`]: values } };
  const list = values.map(({ example }) => example);
  return { example: { [`${part}_text`]: part === 'body' ? [list] : list } };
}

function bodyOf({ body }: TemplateDraft | CarouselDraft, format: ParameterFormat): NetworkComponent {
  const text = body?.text ?? '';
  return { type: 'BODY', text: networkText(text), ...textExample('body', text, body?.examples ?? {}, format) };
}

function headerOf(header: HeaderDraft, format: ParameterFormat, [handle = '']: MediaHandles): NetworkComponent {
  if (isMediaFormat(header.format)) return mediaHeader(header.format, handle);
  if (header.format === 'LOCATION') return { type: 'HEADER', format: 'LOCATION' };
  const text = header.text ?? '';
  return {
    type: 'HEADER',
    format: 'TEXT',
    text: networkText(text),
    ...textExample('header', text, header.textExample, format),
  };
}

const mediaHeader = (format: string | null, handle: string): NetworkComponent => ({
  type: 'HEADER',
  format,
  example: { header_handle: [handle] },
});

const cardOf = ({ headerFormat, bodyText, buttons }: CardDraft, handle: string): NetworkComponent[] => [
  mediaHeader(headerFormat, handle),
  ...(bodyText === null ? [] : [{ type: 'BODY', text: bodyText }]),
  buttonsOf(buttons, null),
];

/** The network writes the texts; we only send its options and the button that copies the code. */
function authenticationOf(draft: TemplateDraft): NetworkComponent[] {
  const { addSecurityRecommendation: advice, codeExpirationMinutes: minutes } = draft;
  return [
    { type: 'BODY', ...(advice === null ? {} : { add_security_recommendation: advice }) },
    ...(minutes === null ? [] : [{ type: 'FOOTER', code_expiration_minutes: minutes }]),
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ];
}

const buttonsOf = (buttons: readonly ButtonDraft[], offerCode: string | null): NetworkComponent => ({
  type: 'BUTTONS',
  buttons: buttons.map((button) => buttonOf(button, offerCode)),
});

function buttonOf(button: ButtonDraft, offerCode: string | null): object {
  const { type, text, url } = button;
  switch (type) {
    case 'QUICK_REPLY':
      return { type, text };
    case 'URL':
      return { type, text, url, ...(url?.endsWith('{{1}}') ? { example: [button.urlExample ?? '1'] } : {}) };
    case 'PHONE_NUMBER':
      return { type, text, phone_number: button.phoneNumber };
    case 'COPY_CODE':
      // The offer's code takes precedence over the button's example.
      return { type, example: offerCode ?? button.copyCodeExample };
    case 'FLOW':
      return {
        type,
        text,
        flow_id: button.flowId,
        flow_action: button.flowAction ?? 'navigate',
        ...(button.navigateScreen === null ? {} : { navigate_screen: button.navigateScreen }),
      };
  }
}
