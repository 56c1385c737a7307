import { readRequest } from '../../http/request-reader.js';
import { CreateCarouselRequest, CreateTemplateRequest } from '../dto/create-template.dto.js';
import { describeTemplate, NO_CALLER_FIELDS } from '../sync/template-description.js';
import type { NetworkComponent } from '../template.js';
import { templateRequest } from './template-components.js';
import type { CarouselDraft, TemplateDraft } from './template-draft.js';

const described = (draft: TemplateDraft | CarouselDraft) => {
  const { components, parameter_format: format } = templateRequest(draft, ['4::a', '4::b']);
  const { headerFormat, variableCount, requiresMedia, isCarousel } = describeTemplate(
    components,
    format,
    NO_CALLER_FIELDS,
  );
  return [headerFormat, variableCount, format, requiresMedia, isCarousel];
};
const standard = (fields: Record<string, unknown>) =>
  described(
    readRequest(CreateTemplateRequest, {
      name: 'order',
      category: 'MARKETING',
      media_url: 'https://cdn.example/1',
      body: { text: 'Hello' },
      ...fields,
    }).toDraft(),
  );

describe('the derived columns of a template', () => {
  it.each([
    ['a body', {}, 'NONE', 0, 'POSITIONAL', false],
    ['numbered variables', { body: { text: '{{1}} {{2}} {{1}}' } }, 'NONE', 2, 'POSITIONAL', false],
    [
      'numbered variables of header and body, which are distinct',
      { header: { format: 'TEXT', text: 'Order {{1}}' }, body: { text: '{{1}} {{2}}' } },
      'TEXT',
      3,
      'POSITIONAL',
      false,
    ],
    ['named variables', { body: { text: '{{name}} {{order}} {{name}}' } }, 'NONE', 2, 'NAMED', false],
    [
      'one name in header and body, which is one variable',
      { header: { format: 'TEXT', text: 'For {{Name}}' }, body: { text: '{{Name}} {{order}}' } },
      'TEXT',
      2,
      'NAMED',
      false,
    ],
    ['a name in the header only', { header: { format: 'TEXT', text: 'For {{name}}' } }, 'TEXT', 1, 'NAMED', false],
    ['an image', { header: { format: 'IMAGE' } }, 'IMAGE', 0, 'POSITIONAL', true],
    ['a video', { header: { format: 'VIDEO' } }, 'VIDEO', 0, 'POSITIONAL', true],
    ['a document', { header: { format: 'DOCUMENT' } }, 'DOCUMENT', 0, 'POSITIONAL', true],
    ['a location', { header: { format: 'LOCATION' } }, 'LOCATION', 0, 'POSITIONAL', false],
    [
      'a URL suffix, which does not count as a variable',
      { buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }] },
      'NONE',
      0,
      'POSITIONAL',
      false,
    ],
  ])('are right for %s', (_, fields, header, count, format, requiresMedia) => {
    expect(standard(fields)).toEqual([header, count, format, requiresMedia, false]);
  });

  it('are right for a carousel: no header, no media, is_carousel', () => {
    const card = {
      header_format: 'IMAGE',
      media_url: 'https://cdn.example/1',
      buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
    };
    const draft = readRequest(CreateCarouselRequest, {
      name: 'sale',
      body: { text: 'For {{name}}' },
      cards: [card, card],
    }).toDraft();
    expect(described(draft)).toEqual(['NONE', 1, 'NAMED', false, true]);
  });

  it('include buttons with the fields of their type, and the offer with its code', () => {
    const components: NetworkComponent[] = [
      { type: 'limited_time_offer', limited_time_offer: { text: 'Ends soon' } },
      { type: 'body', text: 'Sale' },
      {
        type: 'buttons',
        buttons: [
          { type: 'copy_code', example: ['SAVE10'] },
          { type: 'url', text: 'Buy', url: 'https://shop.example/{{1}}', example: ['a'] },
          { type: 'flow', text: 'Book', flow_id: 77, flow_action: 'navigate', navigate_screen: 'START' },
          { type: 'phone_number', text: 'Call', phone_number: '15550001' },
        ],
      },
    ];
    expect(describeTemplate(components, 'POSITIONAL', NO_CALLER_FIELDS)).toMatchObject({
      limitedTimeOffer: { text: 'Ends soon', has_expiration: true },
      offerCode: 'SAVE10',
      buttons: [
        { type: 'COPY_CODE', copy_code_example: 'SAVE10' },
        { type: 'URL', text: 'Buy', url: 'https://shop.example/{{1}}', url_example: 'a' },
        { type: 'FLOW', text: 'Book', flow_id: '77', flow_action: 'navigate', navigate_screen: 'START' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001' },
      ],
    });
  });

  it('treat anything malformed from the network as absent', () => {
    const nonsense: NetworkComponent[] = [
      { type: 5 },
      { type: 'HEADER', format: 'GIF' },
      { type: 'BODY', text: null },
      { type: 'FOOTER' },
      { type: 'BUTTONS', buttons: 'none' },
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: [] },
      { type: 'CAROUSEL', cards: [null, { components: 'none' }] },
    ];
    expect(describeTemplate(nonsense, 'POSITIONAL', NO_CALLER_FIELDS)).toEqual({
      headerFormat: 'NONE',
      body: '',
      footer: null,
      buttons: [],
      carouselCards: [{ header_format: 'IMAGE', media_url: null, body_text: null, buttons: [] }],
      limitedTimeOffer: null,
      offerCode: null,
      mediaUrl: null,
      variableCount: 0,
      requiresMedia: false,
      isCarousel: true,
    });
  });
});
