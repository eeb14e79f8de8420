/** What draws on a canvas, on the page or off it. */
export type Canvas2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
