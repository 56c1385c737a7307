import { InvalidArgumentError } from 'commander';
import {
  email,
  eventNames,
  futureTime,
  httpUrl,
  networkId,
  phoneNumber,
  recordId,
  scopes,
  textUpTo,
  unlessOff,
  wholeNumber,
  words,
} from './argument-values.js';

describe('command-line arguments', () => {
  it.each<[string, (value: string) => unknown, string, unknown]>([
    ['an id', recordId, '01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['text', textUpTo(5), 'Zoë😀!', 'Zoë😀!'],
    ['a whole number', wholeNumber(0, 10), '0', 0],
    ['the maximum', wholeNumber(1, Number.MAX_SAFE_INTEGER), '9007199254740991', 9007199254740991],
    [
      'scopes, without duplicates',
      scopes,
      'contacts:read, messages:write,contacts:read',
      ['contacts:read', 'messages:write'],
    ],
    [
      'events, without duplicates',
      eventNames,
      'message.sent, message.read,message.sent',
      ['message.sent', 'message.read'],
    ],
    ['a URL, unchanged', httpUrl, 'https://example.com/hooks/', 'https://example.com/hooks/'],
    ['words', words, 'STOP, opt out,', ['STOP', 'opt out']],
    ['a network id', networkId, '106540352242922', '106540352242922'],
    ['a displayed number', phoneNumber, '+1 (202) 555-0123', '12025550123'],
    ['a number with its trunk zero', phoneNumber, '+44 (0)20 7946 0364', '442079460364'],
    ['a number that no plan knows', phoneNumber, '+49 0151 12345678', '49015112345678'],
    ['an address', email, 'ada@example.test', 'ada@example.test'],
    ['off', unlessOff(textUpTo(5)), 'off', false],
    ['anything but off', unlessOff(textUpTo(5)), 'Hello', 'Hello'],
    ['a time with an offset', futureTime, '2999-02-28T09:30:00+02:00', new Date('2999-02-28T07:30:00Z')],
    ['a time without offset as UTC', futureTime, '2999-02-28T09:30', new Date('2999-02-28T09:30:00Z')],
    ['a day as its start in UTC', futureTime, '2996-02-29', new Date('2996-02-29T00:00:00Z')],
  ])('accept %s', (_, parse, value, expected) => {
    expect(parse(value)).toEqual(expected);
  });

  it.each<[string, (value: string) => unknown, string, RegExp]>([
    ['a malformed id', recordId, '123', /an id/],
    ['an id in upper case', recordId, '01890A5D-AC96-774B-BCCE-B302099A8057', /an id/],
    ['blank text', textUpTo(5), '  ', /not blank/],
    ['longer text', textUpTo(5), 'abcdef', /1 to 5 characters/],
    ['a number below the minimum', wholeNumber(1, 10), '0', /from 1 to 10/],
    ['a number above the maximum', wholeNumber(1, 10), '11', /from 1 to 10/],
    ['a fraction', wholeNumber(1, 10), '1.5', /whole number/],
    ['an exponent', wholeNumber(1, 10), '1e1', /whole number/],
    ['an empty number', wholeNumber(0, 10), '', /whole number/],
    ['a number beyond exactness', wholeNumber(1, Number.MAX_SAFE_INTEGER), '9007199254740993', /whole number/],
    ['an unknown scope', scopes, 'contacts:read,contacts:delete', /contacts:delete is not a scope/],
    ['no scope', scopes, ' , ', /at least one scope/],
    ['no event', eventNames, ',', /at least one event/],
    ['a URL without its scheme', httpUrl, 'localhost:4040', /http:\/\/ or https:\/\//],
    ['a URL without a host', httpUrl, 'http://', /http:\/\/ or https:\/\//],
    ['no words', words, ',', /1 to 100 words/],
    ['a path as a network id', networkId, '1/../2', /letters, digits/],
    ['a number with letters', phoneNumber, '+1 800 FLOWERS', /phone number/],
    ['a number without country code', phoneNumber, '0151 12345678', /country code first/],
    ['an address without a domain', email, 'ada', /e-mail/],
    ['the past', futureTime, '2020-01-01T00:00:00Z', /in the future/],
    ['a day that does not exist', futureTime, '2999-02-29', /ISO 8601/],
    ['an hour that does not exist', futureTime, '2999-02-28T25:00:00Z', /ISO 8601/],
    ['another notation', futureTime, 'tomorrow', /ISO 8601/],
  ])('reject %s', (_, parse, value, message) => {
    expect(() => parse(value)).toThrow(InvalidArgumentError);
    expect(() => parse(value)).toThrow(message);
  });
});
