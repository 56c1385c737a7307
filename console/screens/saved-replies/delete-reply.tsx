import { useSignal } from '@preact/signals';
import { failureOf, hasStatus } from '../../data/failure.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Notice } from '../../parts/notice.js';
import { settingsWords } from '../../words/inbox-settings.js';
import { deleteReply, forgetReply } from './replies-api.js';
import type { SavedReply } from './reply-rules.js';

interface DeleteReplyProps {
  readonly reply: SavedReply;
  readonly onClose: () => void;
  readonly onDeleted: (name: string) => void;
}

/** Asks once whether a saved reply goes. */
export function DeleteReply({ reply, onClose, onDeleted }: DeleteReplyProps) {
  const { replies } = settingsWords;
  const [isBusy, failure] = [useSignal(false), useSignal<string | null>(null)];
  const remove = async (): Promise<void> => {
    isBusy.value = true;
    failure.value = null;
    try {
      await deleteReply(reply.id);
      onDeleted(reply.name);
    } catch (error) {
      // What is gone already is what was wanted.
      if (hasStatus(error, 404)) {
        forgetReply(reply.id);
        onDeleted(reply.name);
      } else if (!hasStatus(error, 401)) failure.value = failureOf(error).text;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog
      title={replies.ask(reply.name)}
      onClose={onClose}
      answer={
        <>
          <Button onPress={onClose}>{replies.keep}</Button>
          <Button isPrimary isBusy={isBusy.value} busyLabel={replies.deleting} onPress={() => void remove()}>
            {replies.confirm}
          </Button>
        </>
      }
    >
      {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
      <p>{replies.askText}</p>
    </Dialog>
  );
}
