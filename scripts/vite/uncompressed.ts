import type { Plugin } from 'vite';

const THIS_MACHINE = /^(::1|(::ffff:)?127\.[\d.]+)$/;

/**
 * Vite's preview server compresses every file that it sends, each time. A browser on the same machine gets them as they are:
 * the page's script in 1 ms of a core instead of 10.
 */
export const uncompressed = (): Plugin => ({
  name: 'wgrad-uncompressed',
  configurePreviewServer({ middlewares }) {
    middlewares.use(({ headers, socket }, _, next) => {
      if (THIS_MACHINE.test(socket.remoteAddress ?? '')) delete headers['accept-encoding'];
      next();
    });
  },
});
