/** What rooms declare, of which a field of the API takes values; `events` are those of deliveries. */
export type Declared = 'scopes' | 'subscriptions' | 'events';

/** The key that stands in a schema for the `enum` of what rooms declare. */
export const DECLARED = 'x-declared';

/** Part of a schema: the values are what all rooms declare, which its class cannot know. */
export const declaredValues = (declared: Declared): object => ({ [DECLARED]: declared });
