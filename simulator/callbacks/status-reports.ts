import { AppendLog } from '../control/append-log.js';
import type { Behaviour } from '../control/behaviour.js';
import type { AcceptedMessage } from '../messages/accepted-message.js';
import type { PhoneRegistry, SimulatedPhone } from '../phone-registry.js';
import type { CallbackSender } from './callback-sender.js';
import { WITHHELD } from './delivery-plan.js';
import { type DueReport, reportsBody } from './envelopes.js';
import type { TimingWheel } from './timing-wheel.js';

/** How long a partial batch waits for more reports, in ms. */
const PARTIAL_WAIT = 20;

/** A message with unacknowledged reports. */
interface OpenMessage {
  message: AcceptedMessage;
  unanswered: number;
}

interface Services {
  behaviour: Behaviour;
  phones: PhoneRegistry;
  sender: CallbackSender;
  wheel: TimingWheel;
  /** Whether callbacks go to the apps that are subscribed, rather than all to the first one. */
  isRouted: () => boolean;
}

/**
 * Sends the planned status reports when they are due, in batches of `callback_batch`. The ledger holds the plans and a
 * separate file the acknowledged steps, so reports without acknowledgement are resent after a restart.
 */
export class StatusReports {
  /** Called when all reports of a message have been acknowledged and its customer replies. */
  onReply: (message: AcceptedMessage) => void = () => undefined;
  private due: { report: DueReport; open: OpenMessage }[] = [];
  private flushPlanned = false;
  private generation = 0;
  private log: AppendLog;
  /** A bit set of acknowledged steps for each sequence; read on start-up and dropped after the restore. */
  private answered = new Map<number, number>();

  private constructor(private readonly services: Services) {}

  static open(path: string, services: Services): StatusReports {
    const reports = new StatusReports(services);
    reports.log = AppendLog.open(path, (line) => {
      for (const pair of line.split(',')) {
        const [sequence = 0, step = 0] = pair.split('.').map(Number);
        reports.answered.set(sequence, (reports.answered.get(sequence) ?? 0) | (1 << step));
      }
    });
    return reports;
  }

  /** Schedules the remaining reports of a message read back from the ledger. */
  restore(message: AcceptedMessage): void {
    this.schedule(message, this.answered.get(message.sequence) ?? 0);
  }

  restored(): void {
    this.answered = new Map();
  }

  /** Schedules the reports of a message; if it has none left, the customer's reply follows immediately. */
  schedule(message: AcceptedMessage, answered = 0): void {
    if (message.plan.length === 0 && !message.reply) return;
    const open = { message, unanswered: 0 };
    const { generation } = this;
    for (let step = 0; step < message.plan.length; step += 1) {
      if ((answered & (1 << step)) !== 0) continue;
      const [, due] = message.plan[step] ?? ['', 0];
      if (due === WITHHELD) continue;
      open.unanswered += 1;
      this.services.wheel.at(message.at + due, () => {
        if (generation === this.generation) this.take({ report: { message, step }, open });
      });
    }
    const replied = (answered & (1 << message.plan.length)) !== 0;
    if (open.unanswered === 0 && message.reply && !replied) this.reply(message);
  }

  /** Records that the customer's reply to `message` is stored, as the step after its last report. */
  replied(message: AcceptedMessage): void {
    this.log.append(`${message.sequence}.${message.plan.length}`);
  }

  reset(): void {
    this.generation += 1;
    this.due = [];
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private take(item: { report: DueReport; open: OpenMessage }): void {
    const batch = this.services.behaviour.settings.callback_batch;
    this.due.push(item);
    if (this.due.length >= batch) this.sendBatch(batch);
    else if (!this.flushPlanned) {
      this.flushPlanned = true;
      this.services.wheel.after(PARTIAL_WAIT, () => {
        this.flushPlanned = false;
        if (this.due.length > 0) this.sendBatch(this.due.length);
      });
    }
  }

  private sendBatch(size: number): void {
    const batch = this.due.splice(0, size);
    if (!this.services.isRouted()) {
      this.sendTo(null, batch);
      return;
    }
    // Each business account has subscribers of its own.
    const byAccount = new Map<string, typeof batch>();
    for (const item of batch) {
      const { waba_id } = this.phoneOf(item.report.message.phoneNumberId);
      byAccount.set(waba_id, [...(byAccount.get(waba_id) ?? []), item]);
    }
    for (const [wabaId, own] of byAccount) this.sendTo(wabaId, own);
  }

  private phoneOf(id: string): SimulatedPhone {
    return this.services.phones.find(id) ?? { phone_number_id: id, waba_id: '0', display_phone_number: '' };
  }

  private sendTo(wabaId: string | null, batch: { report: DueReport; open: OpenMessage }[]): void {
    const { behaviour, sender } = this.services;
    const { generation } = this;
    const phoneOf = (id: string): SimulatedPhone => this.phoneOf(id);
    sender.send({
      ...(wabaId === null ? {} : { about: { wabaId, field: 'messages' } }),
      render: () =>
        reportsBody(
          batch.map(({ report }) => report),
          phoneOf,
          behaviour.settings.network_version,
        ),
      delivered: () => {
        if (generation === this.generation) this.settle(batch);
      },
    });
  }

  private settle(batch: { report: DueReport; open: OpenMessage }[]): void {
    this.log.append(batch.map(({ report }) => `${report.message.sequence}.${report.step}`).join(','));
    for (const { open } of batch) {
      open.unanswered -= 1;
      if (open.unanswered === 0 && open.message.reply) this.reply(open.message);
    }
  }

  private reply(message: AcceptedMessage): void {
    const { generation } = this;
    this.services.wheel.after(this.services.behaviour.settings.status_delay_ms, () => {
      if (generation === this.generation) this.onReply(message);
    });
  }
}
