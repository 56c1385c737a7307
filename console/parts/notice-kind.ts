/** How much a notice matters: to be read, to be acted on, or a fault. */
export type NoticeKind = 'calm' | 'warn' | 'bad';
