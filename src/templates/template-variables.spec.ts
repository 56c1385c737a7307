import fc from 'fast-check';
import { countVariables, fill, networkText, networkVariablesOf, parameterFormatOf } from './template-variables.js';

describe('template variables', () => {
  it.each([
    ['', '{{1}} {{2}} {{1}}', 'POSITIONAL' as const, 2],
    ['{{1}}', '{{1}} {{2}}', 'POSITIONAL' as const, 3],
    ['{{name}}', '{{name}} {{order}}', 'NAMED' as const, 2],
    ['', 'none', 'POSITIONAL' as const, 0],
  ])('counts the distinct variables of the header %j and the body %j', (header, body, format, count) => {
    expect(countVariables(header, body, format)).toBe(count);
    expect(parameterFormatOf([header, body])).toBe(format);
  });

  it('sorts numbers by value and names by appearance', () => {
    expect(networkVariablesOf('{{10}} {{9}} {{1}} {{9}}')).toEqual(['1', '9', '10']);
    expect(networkVariablesOf('{{b}} {{A}} {{a}}')).toEqual(['b', 'a']);
  });

  it('sends names in lower case', () => {
    expect(networkText('Hi {{ First_Name }}, {{1}}')).toBe('Hi {{first_name}}, {{1}}');
  });

  it('fills in any value verbatim', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        const values = new Map([
          ['1', one],
          ['2', two],
        ]);
        expect(fill('a {{1}} b {{2}} c {{3}}', values)).toBe(`a ${one} b ${two} c {{3}}`);
      }),
    );
  });
});
