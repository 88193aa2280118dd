import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

export const appFolder = new URL('../app', import.meta.url).pathname;

/** How the web application is built. `target` is the oldest syntax that is emitted. */
export const viteConfig = (outDir: string): InlineConfig => ({
  configFile: false,
  root: appFolder,
  base: '/',
  logLevel: 'error',
  plugins: [react()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // Data URLs would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
    reportCompressedSize: false,
  },
});
