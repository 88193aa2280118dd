import type { Locator, Page } from 'playwright-core';

/** How a person operates a page. The same scenario runs with each. */
export interface Hand {
  /** Presses a button, follows a link, chooses from a menu, or checks a box. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  fill(target: Locator, text: string): Promise<void>;
}

type HandOf = (page: Page) => Hand;

const mouse: HandOf = () => ({
  press: (target) => target.click(),
  fill: (target, text) => target.fill(text),
});

/** Reaches everything with Tab and arrows, as somebody without a mouse does. */
const keyboard: HandOf = (page) => ({
  async press(target) {
    await reach(page, target);
    const isBox = (await target.getAttribute('type')) === 'checkbox';
    await page.keyboard.press(isBox ? 'Space' : 'Enter');
  },
  async fill(target, text) {
    await reach(page, target);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  },
});

export const hands = [
  { name: 'mouse', handOf: mouse },
  { name: 'keyboard', handOf: keyboard },
] as const;

const most = 150;

async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const key = (await target.getAttribute('role')) === 'menuitem' ? 'ArrowDown' : 'Tab';
  for (let step = 0; step < most; step += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} is not reached with ${key} in ${most} steps`);
}
