import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = new URL('../baseline', import.meta.url).pathname;
const [width, height] = [120, 75] as const;
/** A cell of the small picture is different if a colour differs by so much, of 255. */
const tolerance = 40;
/** So many cells may be different: names, ages and numbers are not the same at each run. */
const maxShare = 0.04;

/**
 * Compares what a page looks like with a small picture in `e2e/baseline`. A missing picture is written, and the test fails, so that
 * somebody checks it. With FAIRLEAD_BASELINE=write all are written.
 */
export async function compareWithBaseline(page: Page, name: string): Promise<string | undefined> {
  const file = join(folder, `${name}.png`);
  const screenshot = await page.screenshot({ animations: 'disabled' });
  const helper = await page.context().newPage();
  try {
    const now = await reduced(helper, screenshot.toString('base64'));
    if (!existsSync(file) || process.env['FAIRLEAD_BASELINE'] === 'write') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, Buffer.from(now.png, 'base64'));
      return process.env['FAIRLEAD_BASELINE'] === 'write' ? undefined : `${name}: the baseline is new; check ${file}`;
    }
    const before = await reduced(helper, readFileSync(file).toString('base64'));
    const cells = width * height;
    const differing = Array.from({ length: cells }, (_, cell) =>
      [0, 1, 2].some(
        (colour) =>
          Math.abs((now.pixels[cell * 4 + colour] ?? 0) - (before.pixels[cell * 4 + colour] ?? 0)) > tolerance,
      ),
    ).filter(Boolean).length;
    const share = differing / cells;
    return share > maxShare ? `${name}: ${(share * 100).toFixed(1)} % of the page looks different` : undefined;
  } finally {
    await helper.close();
  }
}

interface Picture {
  readonly pixels: readonly number[];
  /** As base64. */
  readonly png: string;
}

/** A picture in the size of the baseline, made by the browser. */
async function reduced(page: Page, png: string): Promise<Picture> {
  const answer: unknown = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png}'), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), {
      resizeWidth: ${width}, resizeHeight: ${height}, resizeQuality: 'high',
    });
    const canvas = document.createElement('canvas');
    canvas.width = ${width};
    canvas.height = ${height};
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, ${width}, ${height});
    return { pixels: [...data], png: canvas.toDataURL('image/png').split(',')[1] };
  })()`);
  const { pixels, png: small } = Object(answer);
  return { pixels: Array.isArray(pixels) ? pixels.map(Number) : [], png: String(small) };
}
