import type { TemplateCategory } from '../template.js';
import { categoryOutcome } from './category-order.js';

const at = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1000));

describe('a notice about the category of a template', () => {
  it.each<[TemplateCategory, number | null, TemplateCategory, TemplateCategory | null, number | null, string]>([
    ['UTILITY', null, 'MARKETING', 'UTILITY', 10, 'in force'],
    ['UTILITY', 5, 'MARKETING', 'UTILITY', 10, 'in force'],
    ['MARKETING', 5, 'UTILITY', 'MARKETING', 10, 'in force'],
    ['AUTHENTICATION', 5, 'UTILITY', null, 10, 'in force'],
    // Older than what is stored.
    ['UTILITY', 20, 'MARKETING', 'UTILITY', 10, 'ignored'],
    ['MARKETING', 20, 'UTILITY', 'MARKETING', 10, 'ignored'],
    ['MARKETING', 20, 'MARKETING', null, 10, 'ignored'],
    // Nothing new.
    ['UTILITY', null, 'UTILITY', 'MARKETING', null, 'in force'],
    ['MARKETING', 10, 'MARKETING', 'UTILITY', 10, 'in force'],
    // Without a time, it must follow from the stored category.
    ['UTILITY', null, 'MARKETING', 'UTILITY', null, 'in force'],
    ['UTILITY', 10, 'MARKETING', 'UTILITY', null, 'in force'],
    ['UTILITY', 10, 'MARKETING', null, null, 'in force'],
    ['UTILITY', 10, 'MARKETING', 'AUTHENTICATION', null, 'in force and in doubt'],
    // Within the same second.
    ['UTILITY', 10, 'MARKETING', 'UTILITY', 10, 'in force and in doubt'],
    // MARKETING ends only when it is certain.
    ['MARKETING', 10, 'UTILITY', 'MARKETING', 10, 'in doubt'],
    ['MARKETING', null, 'UTILITY', 'MARKETING', 10, 'in doubt'],
    ['MARKETING', null, 'UTILITY', 'MARKETING', null, 'in doubt'],
    ['MARKETING', 10, 'AUTHENTICATION', null, null, 'in doubt'],
  ])(
    'about a %s template of time %p: %s, before %s, of time %p, is %s',
    (stored, known, category, previous, told, is) => {
      const outcome = categoryOutcome(
        { category: stored, categoryToldAt: at(known) },
        { category, previous },
        at(told),
      );
      expect(outcome).toEqual({ isInForce: is.startsWith('in force'), isInDoubt: is.endsWith('in doubt') });
    },
  );
});
