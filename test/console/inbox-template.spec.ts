import type { TemplateRecord } from '../../clients/typescript/src/generated/schema.js';
import { aroundOf } from '../../console/screens/inbox/template/around.js';
import { readTypedNumber } from '../../console/screens/inbox/template/number-reading.js';
import { type KnownPerson, personalValue } from '../../console/screens/inbox/template/personal-value.js';
import { fieldsOf, variablesOf } from '../../console/screens/inbox/template/template-fields.js';
import { fieldOfDetail, problemsOf, requestOf } from '../../console/screens/inbox/template/template-request.js';

const PERSON: KnownPerson = {
  first_name: 'Greta',
  last_name: 'Holmvik',
  email: 'greta@holmvik.example',
  company: null,
  phone_number: '447700900663',
};
const NOW = new Date('2026-11-28T12:00:00Z');

const template = (parts: Partial<TemplateRecord>): TemplateRecord =>
  ({
    name: 'back_in_stock',
    language: 'en_US',
    header_format: 'NONE',
    body: 'Hello',
    buttons: [],
    components: [],
    limited_time_offer: null,
    offer_code: null,
    ...parts,
  }) as TemplateRecord;

describe('the values of a template', () => {
  it('are asked for once each, numbers in their order', () => {
    expect(variablesOf('{{2}} and {{ 1 }} and {{2}}')).toEqual(['1', '2']);
    expect(variablesOf('{{name}} and {{order_id}}')).toEqual(['name', 'order_id']);
  });

  it.each([
    ['first_name', 'Hi', 'Greta'],
    ['customer_name', 'Hi', 'Greta'],
    ['full_name', 'Hi', 'Greta Holmvik'],
    ['email', 'Hi', 'greta@holmvik.example'],
    ['company', 'Hi', ''],
    ['product_name', 'Hi', ''],
    ['1', 'Hello {{1}}, it is back', 'Greta'],
    ['1', 'Your order {{1}} is on its way', ''],
    ['2', 'Hello {{1}}, {{2}} is back', ''],
  ])('come from the contact where the name fits: %s in “%s”', (name, text, value) => {
    expect(personalValue(name, text, PERSON)).toBe(value);
  });

  it('never are the name that stands for an unknown one', () => {
    const unnamed = { ...PERSON, first_name: 'User #123456', last_name: null };
    expect(personalValue('first_name', '', unnamed)).toBe('');
    expect(personalValue('full_name', '', unnamed)).toBe('');
  });

  it('are those of title, text, offer and buttons, with the examples of the template', () => {
    const fields = fieldsOf(
      template({
        header_format: 'TEXT',
        body: 'Hello {{1}}, {{2}} is back',
        components: [
          { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['20418'] } },
          { type: 'BODY', text: 'Hello {{1}}, {{2}} is back', example: { body_text: [['Ada', 'tree']] } },
        ],
        limited_time_offer: { text: 'Ends soon', has_expiration: true },
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'URL', text: 'See it', url: 'https://shop.example/{{1}}' },
          { type: 'COPY_CODE', copy_code_example: 'SPRING20' },
        ],
      }),
      PERSON,
    );
    expect(fields.map(({ name, initial, hint }) => [name, initial, hint])).toEqual([
      ['header_data.1', '', 'For example: 20418'],
      ['body_data.1', 'Greta', 'For example: Ada'],
      ['body_data.2', '', 'For example: tree'],
      ['expiration_time_ms', '', null],
      ['button_params[1].url_param', '', 'https://shop.example/{{1}}'],
      ['button_params[2].coupon_code', 'SPRING20', null],
    ]);
  });

  it.each([
    ['1', 'Hello {{1}}, your {{2}} is back', 'Hello ', ', your … is back'],
    ['2', 'Hello {{1}}, your {{ 2 }} is back', 'Hello …, your ', ' is back'],
    ['1', 'Good news!\nOrder {{1}}\nis on its way', 'Order ', ''],
    [
      '1',
      'Since you asked us to tell you about it: {{1}} has come in again, and we keep one for you',
      '…us to tell you about it: ',
      ' has come in again, and we …',
    ],
  ])('have the words around them: %s in “%s”', (name, text, before, after) => {
    expect(aroundOf(name, text)).toEqual({ before, after });
  });

  it('have no words around them where they stand alone, or have a name', () => {
    expect(aroundOf('1', 'Hello\n{{1}}\nBye')).toBeNull();
    const arounds = (body: string) => fieldsOf(template({ body }), null).map(({ around }) => around);
    expect(arounds('Hello {{1}}, your order {{2}}')).toEqual(['“Hello ▁▁, your order …”', '“Hello …, your order ▁▁”']);
    expect(arounds('Hello {{first_name}}')).toEqual([null]);
  });

  it('are a file or a place where the title is one', () => {
    const names = (header_format: TemplateRecord['header_format']) =>
      fieldsOf(template({ header_format }), null).map(({ name }) => name);
    expect(names('IMAGE')).toEqual(['media_url']);
    expect(names('DOCUMENT')).toEqual(['media_url', 'filename']);
    expect(names('LOCATION')).toEqual(['location.latitude', 'location.longitude', 'location.name', 'location.address']);
  });

  it('are missed only where they are needed, and checked as far as can be told', () => {
    const fields = fieldsOf(
      template({ header_format: 'LOCATION', limited_time_offer: { text: 'Soon', has_expiration: true } }),
      null,
    );
    const problems = problemsOf(fields, { 'location.latitude': 'north', expiration_time_ms: '2026-11-27T12:00' }, NOW);
    expect([...problems]).toEqual([
      ['location.latitude', 'Enter a number.'],
      ['location.longitude', 'Enter a number.'],
      ['expiration_time_ms', 'Choose a time that is still to come.'],
    ]);
  });

  it('become the fields of the request', () => {
    const fields = fieldsOf(
      template({
        header_format: 'LOCATION',
        body: '{{name}}',
        buttons: [
          { type: 'URL', text: 'See', url: 'https://shop.example/{{1}}' },
          { type: 'COPY_CODE', copy_code_example: 'X' },
        ],
      }),
      null,
    );
    const values = {
      'location.latitude': '52.5',
      'location.longitude': '13.4',
      'body_data.name': ' Greta ',
      'button_params[0].url_param': '',
      'button_params[1].coupon_code': 'SPRING20',
    };
    expect(requestOf(template({}), fields, values)).toEqual({
      template_name: 'back_in_stock',
      template_language: 'en_US',
      body_data: { name: 'Greta' },
      location: { latitude: 52.5, longitude: 13.4, name: null, address: null },
      button_params: [{ index: 1, coupon_code: 'SPRING20' }],
    });
    expect(fieldOfDetail('button_params[0].coupon_code must be at most 20 characters', fields, values)).toBe(
      'button_params[1].coupon_code',
    );
    expect(fieldOfDetail('body_data.name must not contain line breaks', fields, values)).toBe('body_data.name');
    expect(fieldOfDetail('the body with its variables must be at most 1024 characters', fields, values)).toBeNull();
  });

  it('are not mistaken for others whose names begin alike', () => {
    const fields = fieldsOf(template({ body: '{{1}} {{11}}' }), null);
    expect(fieldOfDetail('body_data.11 must not contain tabs', fields, {})).toBe('body_data.11');
  });
});

describe('a number that somebody types', () => {
  it.each([
    ['+44 7700 900663', '447700900663'],
    ['0044 (7700) 900-663', '447700900663'],
    ['447700900663', '447700900663'],
  ])('is read however it is written: %s', (text, digits) => {
    expect(readTypedNumber(text)).toEqual({ digits });
  });

  it.each([
    ['07700 900663', 'Begin with the country code, such as 44.'],
    ['4477', 'A number has 7 to 15 digits.'],
    ['447700-PLANT', 'Enter digits only. Blanks and dashes are fine.'],
  ])('is refused with the reason: %s', (text, problem) => {
    expect(readTypedNumber(text)).toEqual({ problem });
  });
});
