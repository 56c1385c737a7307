import { ImportSlots } from './import-slots.js';

describe('the slots of imports', () => {
  it('run as many at once as there are, in the order they came, whether or not one fails', async () => {
    const slots = new ImportSlots(2);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    let atOnce = 0;
    let most = 0;
    const runs = [0, 1, 2, 3].map((number) =>
      slots.run(async () => {
        started.push(number);
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise<void>((resolve) => {
          finish[number] = resolve;
        });
        atOnce -= 1;
        if (number === 0) throw new Error('broken');
        return number;
      }),
    );
    expect(started).toEqual([0, 1]);
    finish[0]?.();
    await expect(runs[0]).rejects.toThrow('broken');
    finish[1]?.();
    await expect(runs[1]).resolves.toBe(1);
    expect(started).toEqual([0, 1, 2, 3]);
    finish[2]?.();
    finish[3]?.();
    await Promise.all(runs.slice(1));
    expect(most).toBe(2);
  });
});
