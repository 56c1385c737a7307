import type { PendingCallbacks } from '../callbacks/pending-callbacks.js';
import type { TimingWheel } from '../callbacks/timing-wheel.js';
import { AppendLog } from '../control/append-log.js';
import type { Behaviour, PacingSettings } from '../control/behaviour.js';
import { asciiJson } from '../json-object.js';
import type { SimulatedPhone } from '../phone-registry.js';
import type { StoredTemplate, TemplateStore } from '../templates/template-store.js';

/** The codes with which held messages fail when a template or a portfolio is judged badly. */
const TEMPLATE_PAUSED = 132015;
const PORTFOLIO_CLOSED = 135000;

/** What pacing does with a message. */
export interface Hold {
  /** How long it is held, in ms. */
  ms: number;
  /** The code with which it is dropped then; null if it is released. */
  code: number | null;
}

/** The messages of one template or portfolio since it is paced. */
interface Paced {
  sent: number;
  /** When the held messages are judged (ms since the epoch); null before the first is held. */
  verdictAt: number | null;
  /** What becomes of the messages after the verdict. */
  outcome: 'released' | 'closed' | null;
}

/** A template to pause. */
interface Pause {
  template: string;
  /** Milliseconds since the epoch; absent once it is done. */
  at?: number;
}

/**
 * Paces templates and portfolios as the behaviour says: the first messages go, the rest is held until the verdict. A bad
 * one drops what is held, and pauses the template or closes the portfolio. Pauses survive a restart, counts do not.
 */
export class Pacing {
  private readonly paced = new Map<string, Paced>();
  private settings: PacingSettings | null = null;
  private generation = 0;
  private log: AppendLog;

  private constructor(
    private readonly behaviour: Behaviour,
    private readonly templates: TemplateStore,
    private readonly callbacks: PendingCallbacks,
    private readonly wheel: TimingWheel,
  ) {}

  static open(
    path: string,
    services: { behaviour: Behaviour; templates: TemplateStore; callbacks: PendingCallbacks; wheel: TimingWheel },
  ): Pacing {
    const pacing = new Pacing(services.behaviour, services.templates, services.callbacks, services.wheel);
    const pending = new Map<string, number>();
    pacing.log = AppendLog.open(path, (line) => {
      const { template, at } = JSON.parse(line) as Pause;
      if (at === undefined) pending.delete(template);
      else pending.set(template, at);
    });
    for (const [template, at] of pending) pacing.schedulePause(template, at);
    return pacing;
  }

  /** Counts a template message; null if it goes at once. */
  async hold(phone: SimulatedPhone, template: StoredTemplate): Promise<Hold | null> {
    const { pacing } = this.behaviour.settings;
    // Whoever sets the behaviour anew has ended the review, and every count starts again.
    if (pacing !== this.settings) this.paced.clear();
    this.settings = pacing;
    if (pacing === null || !this.isPaced(template)) return null;
    const ofPortfolio = pacing.scope === 'portfolio';
    const code = ofPortfolio ? PORTFOLIO_CLOSED : TEMPLATE_PAUSED;
    const paced = this.pacedOf(ofPortfolio ? (phone.portfolio_id ?? phone.waba_id) : template.id);
    if (paced.outcome !== null) return paced.outcome === 'closed' ? { ms: 0, code } : null;
    if (paced.sent < pacing.hold_after) {
      paced.sent += 1;
      return null;
    }
    if (paced.verdictAt === null) {
      paced.verdictAt = Date.now() + pacing.delay_ms;
      await this.scheduleVerdict(paced, paced.verdictAt, ofPortfolio ? null : template.id);
    }
    return { ms: Math.max(paced.verdictAt - Date.now(), 0), code: pacing.verdict === 'drop' ? code : null };
  }

  reset(): void {
    this.generation += 1;
    this.paced.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  /** Utility templates are paced only while the account has one that was paused, AUTHENTICATION ones never. */
  private isPaced({ category, waba_id }: StoredTemplate): boolean {
    if (category !== 'UTILITY') return category === 'MARKETING';
    const own = this.templates.ofAccount(waba_id);
    return own.some((each) => each.category === 'UTILITY' && each.status === 'PAUSED');
  }

  private pacedOf(key: string): Paced {
    const known = this.paced.get(key);
    if (known) return known;
    const paced: Paced = { sent: 0, verdictAt: null, outcome: null };
    this.paced.set(key, paced);
    return paced;
  }

  private async scheduleVerdict(paced: Paced, at: number, template: string | null): Promise<void> {
    const isDropped = this.settings?.verdict === 'drop';
    if (isDropped && template !== null) {
      await this.log.append(asciiJson({ template, at }));
      this.schedulePause(template, at);
    } else {
      this.wheel.at(at, () => {
        paced.outcome = isDropped ? 'closed' : 'released';
      });
    }
  }

  private schedulePause(id: string, at: number): void {
    const { generation } = this;
    this.wheel.at(at, () => {
      if (generation !== this.generation) return;
      this.paced.delete(id);
      this.pause(id).catch(() => undefined);
    });
  }

  private async pause(id: string): Promise<void> {
    const template = this.templates.byId(id);
    if (template?.status === 'APPROVED') {
      await this.templates.save({ ...template, status: 'PAUSED' });
      const { waba_id, name, language, category } = template;
      const description =
        'The template was paused because of the feedback on its first messages. Unpause it to continue.';
      const value = {
        message_template_name: name,
        message_template_language: language,
        event: 'PAUSED',
        message_template_category: category,
        reason: 'NONE',
        other_info: { title: 'RATE_LIMITING_PAUSE', description },
      };
      await this.callbacks.post({ waba_id, field: 'message_template_status_update', value, template_id: id });
    }
    await this.log.append(asciiJson({ template: id }));
  }
}
