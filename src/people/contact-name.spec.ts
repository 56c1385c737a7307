import { defaultName, fullName, isDefaultName, splitName } from './contact-name.js';

describe('a contact’s name', () => {
  it('defaults to "User #" and six random digits', () => {
    const { firstName, lastName } = defaultName();
    expect(firstName).toMatch(/^User #\d{6}$/);
    expect(lastName).toBeNull();
    expect(isDefaultName(firstName)).toBe(true);
  });

  it.each([
    ['Ada', { firstName: 'Ada', lastName: null }],
    ['Ada Lindgrove', { firstName: 'Ada', lastName: 'Lindgrove' }],
    ['Ada King Lindgrove', { firstName: 'Ada', lastName: 'King Lindgrove' }],
    ['  Ada   Lindgrove ', { firstName: 'Ada', lastName: 'Lindgrove' }],
    ['李 小龍', { firstName: '李', lastName: '小龍' }],
  ])('splits %j at the first space', (name, parts) => {
    expect(splitName(name)).toEqual(parts);
  });

  it('keeps "User #123456" whole in first_name', () => {
    expect(splitName('User #123456')).toEqual({ firstName: 'User #123456', lastName: null });
  });

  it('treats blanks as no name', () => {
    expect(splitName('   ')).toBeNull();
  });

  it.each(['User #12345', 'User #1234567', 'user #123456', 'User #123456 Jr'])(
    'does not treat %j as a default name',
    (name) => {
      expect(isDefaultName(name)).toBe(false);
    },
  );

  it('joins both parts back into the full name', () => {
    expect(fullName({ firstName: 'Ada', lastName: 'Lindgrove' })).toBe('Ada Lindgrove');
    expect(fullName({ firstName: 'Ada', lastName: null })).toBe('Ada');
  });
});
