import fc from 'fast-check';
import { GraphError } from '../../simulator/graph-error.js';
import { checkTemplateParameters } from '../../simulator/templates/template-parameters.js';
import { checkTemplate as checkAsNetwork } from '../../simulator/templates/template-rules.js';
import { shapeOf } from '../../simulator/templates/template-shape.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { isPlainObject } from '../../src/http/field-rules.js';
import { readRequest } from '../../src/http/request-reader.js';
import { templateRequest } from '../../src/templates/authoring/template-components.js';
import type { CarouselDraft, TemplateDraft } from '../../src/templates/authoring/template-draft.js';
import { CreateCarouselRequest, CreateTemplateRequest } from '../../src/templates/dto/create-template.dto.js';
import type { SendingInput } from '../../src/templates/rendering/sending-input.js';
import { renderTemplateMessage } from '../../src/templates/rendering/template-message.js';
import type { NetworkComponent } from '../../src/templates/template.js';
import { contentOf } from '../../src/templates/template-content.js';
import { unsupportedParts } from '../../src/templates/template-support.js';

// The simulator's rules are written independently of ours and must accept whatever ours accept, so that the network
// never refuses a template for a reason that we could have reported.

const NOW = new Date('2026-05-01T12:00:00Z');
const LATER = Date.now() + 86_400_000;

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  fc.constantFrom(
    '{{1}}',
    '{{2}}',
    '{{3}}',
    '{{name}}',
    '{{Name}}',
    '{{order_id}}',
    '{{ 1 }}',
    '{{1a}}',
    '{{}}',
    '{{',
    '}}',
    '{{1',
    '😀',
    '\n',
  ),
);
const text = fc.oneof(
  {
    weight: 25,
    arbitrary: fc.constantFrom(
      'Hello',
      'Hello',
      'Hi {{1}}',
      'Hi {{2}}, {{1}}',
      'Hi {{name}}',
      'Only {{ today',
      '{{Order_Id}} of {{Name}}',
    ),
  },
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(' ')) },
  fc.integer({ min: 14, max: 27 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom(60, 61, 160, 161, 600, 601, 1024, 1025).map((length) => 'é'.repeat(length)),
);
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const mostlyPresent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
/** Mostly the valid value, so that whole templates are accepted. */
const mostly = <T>(right: T, ...wrong: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(right) }, fc.constantFrom(right, ...wrong));
const url = mostly(
  'https://shop.example/{{1}}',
  'https://shop.example/',
  'https://shop.example/?a={{1}}',
  'https://shop.example{{1}}',
  'https://shop.example/{{1}}/{{1}}',
  'http://wa.me/x',
  'shop.example',
  'https://',
  'https:///x',
);
const button = fc.record(
  {
    type: fc.constantFrom('QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW'),
    text: mostly('Yes', 'x'.repeat(25), 'x'.repeat(26), ' '),
    url,
    url_example: fc.constantFrom('a', 'https://shop.example/a'),
    phone_number: mostly('15550001', '+4915123456789', '123', 'me'),
    copy_code_example: mostly('CODE', 'x'.repeat(20), 'x'.repeat(21), ''),
    flow_id: mostly('77', ''),
    flow_action: mostly('navigate', 'data_exchange', 'go'),
    navigate_screen: fc.constant('START'),
  },
  { requiredKeys: ['type', 'text', 'url', 'phone_number', 'flow_id'] },
);
const examples = fc.dictionary(fc.constantFrom('1', '2', 'name', 'NAME'), fc.string({ maxLength: 10 }));
const standard = fc.record(
  {
    name: mostly('order_update', 'Order', 'a'.repeat(512)),
    category: fc.constantFrom('MARKETING', 'MARKETING', 'UTILITY', 'AUTHENTICATION'),
    language: mostly('en_US', 'de', 'fil', 'english', ''),
    header: sometimes(
      fc.record(
        {
          format: fc.constantFrom('TEXT', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'),
          text,
          text_example: examples,
        },
        { requiredKeys: ['format', 'text'] },
      ),
    ),
    media_url: fc.constant('https://cdn.example/a'),
    body: mostlyPresent(fc.record({ text, examples })),
    footer: sometimes(fc.record({ text })),
    buttons: sometimes(fc.array(button, { maxLength: 4 })),
    limited_time_offer: sometimes(fc.record({ text, has_expiration: fc.boolean() })),
    offer_code: mostly('SAVE10', '  ', 'x'.repeat(16)),
    add_security_recommendation: fc.option(fc.boolean(), { freq: 1 }),
    code_expiration_minutes: mostly<number | null>(null, 1, 90, 91, 1.5),
    message_send_ttl_seconds: mostly(-1, 30, 900, 43_200, 2_592_000, 2_592_001),
  },
  { requiredKeys: ['name', 'category', 'body', 'media_url'] },
);
const cards = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom('IMAGE', 'VIDEO'),
    sometimes(text),
    fc.array(button, { maxLength: 3 }),
  )
  .map(([count, header_format, body_text, buttons]) =>
    Array.from({ length: count }, () => ({ header_format, media_url: 'https://cdn.example/a', body_text, buttons })),
  );
const carousel = fc.record({ name: fc.constant('sale'), body: fc.record({ text, examples }), cards });

const HANDLES: Readonly<Record<string, string>> = {
  IMAGE: 'image/png',
  VIDEO: 'video/mp4',
  DOCUMENT: 'application/pdf',
};
const handlesOf = (draft: TemplateDraft | CarouselDraft): string[] =>
  draft.kind === 'carousel'
    ? draft.cards.map(({ headerFormat }) => HANDLES[headerFormat ?? ''] ?? '')
    : [HANDLES[draft.header?.format ?? ''] ?? ''];

/** The draft, or null if our rules refuse it; their errors must be client errors. */
function accepted(read: () => TemplateDraft | CarouselDraft): TemplateDraft | CarouselDraft | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError && (error.status === 400 || error.status === 422)) return null;
    throw error;
  }
}

const sendings = fc.record({
  bodyData: fc.dictionary(fc.constantFrom('1', '2', '3', 'name', 'ORDER_ID'), text, { maxKeys: 5 }),
  headerData: fc.constantFrom<Record<string, string>>({ '1': 'a', name: 'a', order_id: 'b' }, {}),
  mediaUrl: fc.constant('https://cdn.example/a'),
  filename: fc.constantFrom(null, 'a.pdf'),
  location: fc.constant({ latitude: 1, longitude: 2, name: null, address: null }),
  buttonParams: fc.constantFrom(
    [],
    [0, 1, 2].map((index) => ({ index, urlParam: 'a', payload: null, couponCode: null })),
    [{ index: 0, urlParam: 'x'.repeat(2001), payload: 'p', couponCode: 'CODE' }],
  ),
  carouselData: fc
    .tuple(fc.integer({ min: 2, max: 4 }), fc.constantFrom([], ['a'], ['a', 'b']))
    .map(([count, urlButtonParams]) =>
      Array.from({ length: count }, () => ({ mediaUrl: 'https://cdn.example/a', urlButtonParams, buttonPayloads: [] })),
    ),
  expirationTimeMs: fc.constant(LATER),
});

function checkAccepted(draft: TemplateDraft | CarouselDraft, input: SendingInput): 'sent' | 'created' {
  const request = templateRequest(draft, handlesOf(draft));
  // A handle is the type of its file here.
  const stored = checkAsNetwork(JSON.parse(JSON.stringify(request)), (handle) => handle);
  for (const { components } of [request, stored]) {
    const unsupported = unsupportedParts({ category: request.category, components });
    if (unsupported.length > 0) throw new Error(`cannot be sent because of ${unsupported.join(', ')}`);
  }
  let components: readonly object[];
  try {
    const offerCode = draft.kind === 'carousel' ? null : draft.offerCode;
    const template = { ...request, parameterFormat: request.parameter_format, offerCode };
    // The network's own components, since only it knows the text of AUTHENTICATION templates.
    components = renderTemplateMessage({ ...template, components: stored.components }, input, NOW).components;
  } catch (error) {
    if (error instanceof DomainError && error.status === 400) return 'created';
    throw error;
  }
  const given = JSON.parse(JSON.stringify(components));
  checkTemplateParameters(given, shapeOf(stored.components, stored.parameter_format), stored.category, () => true);
  return 'sent';
}

/** Runs many templates through both sets of rules, and requires that enough are accepted to be meaningful. */
function conform(bodies: fc.Arbitrary<unknown>, read: (body: unknown) => TemplateDraft | CarouselDraft, runs: number) {
  const seen = { refused: 0, created: 0, sent: 0 };
  fc.assert(
    fc.property(bodies, sendings, (body, input) => {
      const draft = accepted(() => read(body));
      if (draft === null) {
        seen.refused += 1;
        return;
      }
      try {
        seen[checkAccepted(draft, input)] += 1;
      } catch (error) {
        if (error instanceof GraphError) throw new Error(`the network refuses it: ${JSON.stringify(error)}`);
        throw error;
      }
    }),
    { numRuns: runs },
  );
  return seen;
}

const checked = <Body extends { check(): void }>(body: Body): Body => {
  body.check();
  return body;
};
const readTemplate = (body: unknown) =>
  checked(readRequest(CreateTemplateRequest, isPlainObject(body) ? body : {})).toDraft();
const readCarousel = (body: unknown) =>
  checked(readRequest(CreateCarouselRequest, isPlainObject(body) ? body : {})).toDraft();

describe('a template that our rules accept', () => {
  it('is accepted by the network, as a template and when sent', () => {
    const seen = conform(standard, readTemplate, 3000);
    expect(seen.sent).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(50);
  });

  it('is accepted by the network as a carousel', () => {
    const seen = conform(carousel, readCarousel, 1500);
    expect(seen.sent + seen.created).toBeGreaterThan(20);
    expect(seen.refused).toBeGreaterThan(20);
  });

  it('never fails with an internal error, whatever the JSON', () => {
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.dictionary(
        fc.constantFrom(
          'name',
          'category',
          'language',
          'header',
          'body',
          'footer',
          'buttons',
          'cards',
          'limited_time_offer',
          'offer_code',
        ),
        fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('order', 'MARKETING', 'en_US')),
      ),
      standard.chain((body) =>
        fc
          .tuple(fc.constantFrom(...Object.keys(body)), fc.jsonValue({ maxDepth: 3 }))
          .map(([key, value]) => ({ ...body, [key]: value })),
      ),
    );
    fc.assert(
      fc.property(junk, (body) => {
        accepted(() => readTemplate(body));
        accepted(() => readCarousel(body));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a template that was made elsewhere', () => {
  const foreignButton = fc.constantFrom<NetworkComponent>(
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' },
    { type: 'URL', text: 'Open', url: 'https://shop.example/' },
    { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' },
    { type: 'COPY_CODE', example: 'SAVE10' },
    ...['FLOW', 'CATALOG', 'MPM', 'SPM', 'ORDER_DETAILS', 'SOMETHING_NEW'].map((type) => ({ type, text: 'Open' })),
  );
  const foreignBody = fc
    .constantFrom('Hello', 'Hi {{1}}', 'Hi {{1}} and {{2}}')
    .map((text) => ({ type: 'BODY', text }));
  const foreignHeader = (...formats: string[]) =>
    fc.constantFrom(...formats).map((format) => ({ type: 'HEADER', format, text: 'For {{1}}' }));
  const buttonList = (maxLength: number) =>
    fc.array(foreignButton, { minLength: 1, maxLength }).map((buttons) => ({ type: 'BUTTONS', buttons }));
  const mostlyAbsent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 1 });
  const foreignCard = fc
    .tuple(foreignHeader('IMAGE', 'VIDEO', 'PRODUCT'), mostlyAbsent(foreignBody), buttonList(2))
    .map((parts) => ({ components: parts.filter((part) => part !== null) }));
  const foreign = fc
    .tuple(
      mostlyAbsent(foreignHeader('TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'GIF', 'PRODUCT', 'SOMETHING_NEW')),
      foreignBody,
      mostlyAbsent(buttonList(3)),
      mostlyAbsent(fc.array(foreignCard, { minLength: 2, maxLength: 2 }).map((cards) => ({ type: 'CAROUSEL', cards }))),
      fc.option(fc.constantFrom({ type: 'CALL_PERMISSION_REQUEST' }, { type: 'SOMETHING_NEW' }), {
        nil: null,
        freq: 5,
      }),
    )
    .map((parts): NetworkComponent[] => parts.filter((part) => part !== null));
  const filled: SendingInput = {
    bodyData: { '1': 'a', '2': 'b' },
    headerData: { '1': 'a' },
    mediaUrl: 'https://cdn.example/a',
    filename: null,
    location: { latitude: 1, longitude: 2, name: null, address: null },
    buttonParams: [0, 1, 2].map((index) => ({ index, urlParam: 'a', payload: null, couponCode: null })),
    carouselData: null,
    expirationTimeMs: LATER,
  };

  /** As many entries and values as the template takes. */
  const inputFor = (components: readonly NetworkComponent[]): SendingInput => {
    const content = contentOf(components);
    return {
      ...filled,
      buttonParams: filled.buttonParams.slice(0, content.buttons.length),
      carouselData:
        content.cards?.map(({ buttons }) => ({
          mediaUrl: 'https://cdn.example/a',
          urlButtonParams: buttons.filter(({ hasUrlVariable }) => hasUrlVariable).map(() => 'a'),
          buttonPayloads: [],
        })) ?? null,
    };
  };

  it('is refused, or everything that the network wants is filled in', () => {
    const seen = { refused: 0, sent: 0 };
    fc.assert(
      fc.property(foreign, (components) => {
        if (unsupportedParts({ category: 'MARKETING', components }).length > 0) {
          seen.refused += 1;
          return;
        }
        const template = { name: 'x', category: 'MARKETING', parameterFormat: 'POSITIONAL', offerCode: null } as const;
        const message = renderTemplateMessage({ ...template, components }, inputFor(components), NOW);
        const shape = shapeOf(JSON.parse(JSON.stringify(components)), 'POSITIONAL');
        checkTemplateParameters(JSON.parse(JSON.stringify(message.components)), shape, 'MARKETING', () => true);
        seen.sent += 1;
      }),
      { numRuns: 3000 },
    );
    expect(seen.sent).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(100);
  });
});
