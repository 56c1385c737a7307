/** A number as people dial it. */
export const phoneNumber = (digits: string): string => `+${digits}`;
