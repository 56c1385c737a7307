import { WINDOW_MS } from '../../conversations/service-window.js';
import { type DomainError, freeFormForbidden } from '../../errors/domain-error.js';

/**
 * The refusal of a free-form message outside the service window, or null when the window is open.
 *
 * @param lastInboundAt the contact's last message to this business phone
 */
export function windowRefusal(lastInboundAt: Date | null, now: Date): DomainError | null {
  if (lastInboundAt === null) {
    return freeFormForbidden(
      'The 24-hour customer service window is not open: this contact has not sent a message to this business number. ' +
        'Send an approved template through POST /api/v1/messages/send instead.',
    );
  }
  if (now.getTime() - lastInboundAt.getTime() < WINDOW_MS) return null;
  return freeFormForbidden(
    `The 24-hour customer service window has expired: the last inbound message from this contact was at ${lastInboundAt.toISOString()}. ` +
      'Send an approved template through POST /api/v1/messages/send instead.',
  );
}
