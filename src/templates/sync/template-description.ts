import type { NewTemplate } from '../template.entity.js';
import {
  isMediaFormat,
  type NetworkComponent,
  type ParameterFormat,
  type StoredButton,
  type StoredCard,
} from '../template.js';
import { contentOf, type TemplateButton, type TemplateCard } from '../template-content.js';
import { countVariables } from '../template-variables.js';

/** The fields of a template that only its creator knows: the network does not return them. */
export interface CallerFields {
  readonly offerCode: string | null;
  readonly mediaUrl: string | null;
  /** One per card. */
  readonly cardMediaUrls: readonly (string | null)[];
}

export const NO_CALLER_FIELDS: CallerFields = { offerCode: null, mediaUrl: null, cardMediaUrls: [] };

/** The columns of a template that are derived from its components. */
export type TemplateDescription = Pick<
  NewTemplate,
  | 'headerFormat'
  | 'body'
  | 'footer'
  | 'buttons'
  | 'carouselCards'
  | 'limitedTimeOffer'
  | 'offerCode'
  | 'mediaUrl'
  | 'variableCount'
  | 'requiresMedia'
  | 'isCarousel'
>;

/** Derives columns from components. Creation and sync share it, so both store the same template the same way. */
export function describeTemplate(
  components: readonly NetworkComponent[],
  parameterFormat: ParameterFormat,
  known: CallerFields,
): TemplateDescription {
  const { header, body, footer, buttons, limitedTimeOffer, cards } = contentOf(components);
  const couponCode = buttons.find(({ type }) => type === 'COPY_CODE')?.example ?? null;
  const headerFormat = header?.format ?? 'NONE';
  return {
    headerFormat,
    body: body.text,
    footer,
    buttons: buttons.map(stored),
    carouselCards: cards?.map((card, index) => storedCard(card, known.cardMediaUrls[index] ?? null)) ?? null,
    limitedTimeOffer: limitedTimeOffer && {
      text: limitedTimeOffer.text,
      has_expiration: limitedTimeOffer.hasExpiration,
    },
    // An offer's code is the example of its copy-code button.
    offerCode: limitedTimeOffer ? couponCode : known.offerCode,
    mediaUrl: isMediaFormat(headerFormat) ? known.mediaUrl : null,
    variableCount: countVariables(header?.text ?? '', body.text, parameterFormat),
    requiresMedia: isMediaFormat(headerFormat),
    isCarousel: cards !== null,
  };
}

const storedCard = (card: TemplateCard, mediaUrl: string | null): StoredCard => ({
  header_format: card.headerFormat,
  media_url: mediaUrl ?? card.exampleUrl,
  body_text: card.bodyText,
  buttons: card.buttons.map(stored),
});

function stored(button: TemplateButton): StoredButton {
  const { type, text, url, example, phoneNumber, flowId, flowAction, navigateScreen } = button;
  return {
    type,
    ...(text === '' ? {} : { text }),
    ...(url === null ? {} : { url }),
    ...(type === 'URL' && example !== null ? { url_example: example } : {}),
    ...(phoneNumber === null ? {} : { phone_number: phoneNumber }),
    ...(type === 'COPY_CODE' && example !== null ? { copy_code_example: example } : {}),
    ...(flowId === null ? {} : { flow_id: flowId }),
    ...(flowAction === null ? {} : { flow_action: flowAction }),
    ...(navigateScreen === null ? {} : { navigate_screen: navigateScreen }),
  };
}
