import { readRequest } from '../../http/request-reader.js';
import { CreateCarouselRequest, CreateTemplateRequest } from '../dto/create-template.dto.js';
import { templateRequest } from './template-components.js';

const request = (fields: Record<string, unknown>, handles: string[] = []) =>
  templateRequest(
    readRequest(CreateTemplateRequest, { name: 'order_update', category: 'MARKETING', ...fields }).toDraft(),
    handles,
  );

describe('the request that creates a template', () => {
  it('has examples for numbered variables, in numeric order', () => {
    expect(
      request({
        category: 'UTILITY',
        language: 'de',
        message_send_ttl_seconds: 60,
        header: { format: 'TEXT', text: 'Order {{1}}', text_example: { '1': 'A-17' } },
        body: { text: 'Hi {{2}}, {{ 1 }}', examples: { '1': 'one', '2': 'two' } },
        footer: { text: 'Bye' },
      }),
    ).toEqual({
      name: 'order_update',
      language: 'de',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      message_send_ttl_seconds: 60,
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-17'] } },
        { type: 'BODY', text: 'Hi {{2}}, {{1}}', example: { body_text: [['one', 'two']] } },
        { type: 'FOOTER', text: 'Bye' },
      ],
    });
  });

  it('writes named variables in lower case, with named examples', () => {
    expect(
      request({
        header: { format: 'TEXT', text: 'For {{Name}}' },
        body: { text: 'Hi {{Name}}, {{Order_Id}}', examples: { NAME: 'Ada' } },
      }),
    ).toEqual({
      name: 'order_update',
      language: 'en_US',
      category: 'MARKETING',
      parameter_format: 'NAMED',
      components: [
        {
          type: 'HEADER',
          format: 'TEXT',
          text: 'For {{name}}',
          example: { header_text_named_params: [{ param_name: 'name', example: 'name' }] },
        },
        {
          type: 'BODY',
          text: 'Hi {{name}}, {{order_id}}',
          example: {
            body_text_named_params: [
              { param_name: 'name', example: 'Ada' },
              { param_name: 'order_id', example: 'order_id' },
            ],
          },
        },
      ],
    });
  });

  it('fills missing and blank examples with the variable’s name', () => {
    expect(request({ body: { text: '{{1}} {{2}}', examples: { '2': ' ' } } }).components).toEqual([
      { type: 'BODY', text: '{{1}} {{2}}', example: { body_text: [['1', '2']] } },
    ]);
  });

  it('finds its examples among 50,000', () => {
    const examples = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name_${index}`, String(index)]));
    const text = Array.from({ length: 90 }, (_, index) => `{{Name_${index}}}`).join('');
    const [body] = request({ body: { text, examples } }).components;
    expect(body).toMatchObject({
      example: {
        body_text_named_params: Array.from({ length: 90 }, (_, index) => ({
          param_name: `name_${index}`,
          example: String(index),
        })),
      },
    });
  });

  it.each(['IMAGE', 'VIDEO', 'DOCUMENT'])('has the handle of the uploaded %s', (format) => {
    expect(
      request({ header: { format }, media_url: 'https://cdn.example/a', body: { text: 'Hello' } }, ['4::h']).components,
    ).toEqual([
      { type: 'HEADER', format, example: { header_handle: ['4::h'] } },
      { type: 'BODY', text: 'Hello' },
    ]);
  });

  it('has a LOCATION header with nothing else in it', () => {
    expect(request({ header: { format: 'LOCATION' }, body: { text: 'Hello' } }).components[0]).toEqual({
      type: 'HEADER',
      format: 'LOCATION',
    });
  });

  it('has every type of button', () => {
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', text: 'Open', url: 'https://shop.example/' },
      { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', url_example: 'https://shop.example/17' },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550001' },
      { type: 'COPY_CODE', copy_code_example: 'SAVE10' },
      { type: 'FLOW', text: 'Book', flow_id: '77', navigate_screen: 'START' },
    ];
    expect(request({ body: { text: 'Hello' }, buttons }).components[1]).toEqual({
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'Open', url: 'https://shop.example/' },
        { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', example: ['https://shop.example/17'] },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550001' },
        { type: 'COPY_CODE', example: 'SAVE10' },
        { type: 'FLOW', text: 'Book', flow_id: '77', flow_action: 'navigate', navigate_screen: 'START' },
      ],
    });
  });

  it('omits BUTTONS for an empty array, and has an example for every URL with a variable', () => {
    expect(request({ body: { text: 'Hello' }, buttons: [] }).components).toHaveLength(1);
    const buttons = [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }];
    expect(request({ body: { text: 'Hello' }, buttons }).components[1]).toEqual({
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', example: ['1'] }],
    });
  });

  it('has a limited-time offer whose offer_code wins over copy_code_example', () => {
    expect(
      request({
        body: { text: 'Sale' },
        limited_time_offer: { text: 'Ends soon' },
        offer_code: 'SAVE10',
        buttons: [{ type: 'COPY_CODE', text: 'Copy', copy_code_example: 'OTHER' }],
      }).components,
    ).toEqual([
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
      { type: 'BODY', text: 'Sale' },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE10' }] },
    ]);
  });

  it('leaves the AUTHENTICATION text to the network', () => {
    const fields = { category: 'AUTHENTICATION', add_security_recommendation: true, code_expiration_minutes: 5 };
    expect(request(fields).components).toEqual([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]);
    expect(request({ category: 'AUTHENTICATION' }).components).toEqual([
      { type: 'BODY' },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]);
  });

  it('has the cards of a carousel, with one handle each', () => {
    const card = (text: string) => ({
      header_format: 'VIDEO',
      media_url: 'https://cdn.example/v',
      body_text: text,
      buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
    });
    const draft = readRequest(CreateCarouselRequest, {
      name: 'sale',
      body: { text: 'For {{1}}' },
      cards: [card('One'), card('Two')],
    }).toDraft();
    const cards = [...draft.cards.slice(0, 1), ...draft.cards.slice(1).map((two) => ({ ...two, bodyText: null }))];
    const buttons = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] };
    expect(templateRequest({ ...draft, cards }, ['4::a', '4::b'])).toEqual({
      name: 'sale',
      language: 'en_US',
      category: 'MARKETING',
      parameter_format: 'POSITIONAL',
      components: [
        { type: 'BODY', text: 'For {{1}}', example: { body_text: [['1']] } },
        {
          type: 'CAROUSEL',
          cards: [
            {
              components: [
                { type: 'HEADER', format: 'VIDEO', example: { header_handle: ['4::a'] } },
                { type: 'BODY', text: 'One' },
                buttons,
              ],
            },
            { components: [{ type: 'HEADER', format: 'VIDEO', example: { header_handle: ['4::b'] } }, buttons] },
          ],
        },
      ],
    });
  });
});
