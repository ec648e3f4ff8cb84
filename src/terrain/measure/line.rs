//! Weighted least-squares line, for slopes in log-log plots.

/// Line with a slope through (x, y). In a log-log plot the coordinates are natural logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Slope: change of y when x grows by 1.
    pub slope: f64,
    /// Weighted mean of the points' x.
    pub x: f64,
    /// Weighted mean of the points' y, the value of the line at `x`.
    pub y: f64,
}

impl Line {
    /// Weighted least-squares line through points (weight, x, y); `None` if there are fewer than two
    /// different x, or if a number is not finite.
    #[must_use]
    pub fn through(points: &[(f64, f64, f64)]) -> Option<Self> {
        let total: f64 = points.iter().map(|(weight, ..)| weight).sum();
        let points = points.iter().map(|(weight, x, y)| (weight / total, *x, *y));
        let mean_x: f64 = points.clone().map(|(weight, x, _)| weight * x).sum();
        let mean_y: f64 = points.clone().map(|(weight, _, y)| weight * y).sum();
        let (covariance, variance) =
            points.fold((0.0, 0.0), |(covariance, variance), (w, x, y)| {
                let (x, y) = (x - mean_x, y - mean_y);
                (covariance + w * x * y, variance + w * x * x)
            });
        let line = Self {
            slope: covariance / variance,
            x: mean_x,
            y: mean_y,
        };
        line.slope.is_finite().then_some(line)
    }

    /// Value of the line at `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.y + self.slope * (x - self.x)
    }

    /// Line with another slope through the mean of the points.
    #[must_use]
    pub fn with_slope(self, slope: f64) -> Self {
        Self { slope, ..self }
    }
}
